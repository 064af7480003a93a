extension SocketPair {
  /// Gives each end its own owner, for two threads of one process.
  public consuming func split<Result: ~Copyable>(
    _ body: (_ ours: consuming FileDescriptor, _ theirs: consuming FileDescriptor) -> Result
  ) -> Result {
    body(ours, theirs)
  }
}
