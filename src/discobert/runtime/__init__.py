"""Running networks without torch: ONNX sessions, tensors, word pieces, the encoder."""
