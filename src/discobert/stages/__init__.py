"""Components that turn text into values; weights run in ONNX Runtime or numpy, never torch."""
