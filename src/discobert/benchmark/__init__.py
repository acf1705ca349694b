"""What a summary costs, beside the least an encoder can cost and beside other tools."""
