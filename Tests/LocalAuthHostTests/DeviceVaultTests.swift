// Tests of the adapters that the host puts together.
