"""discobert inside other libraries; nothing is imported without them."""
