"""What every training run uses: loop, checkpoints, batches, caches."""
