/// All verbs of the program with their options.
///
/// Parsing, help and completion read this table, and the manual page is checked against it.
enum CommandTable {
  static let tree: CommandTree = CommandTree(
    root: Command(
      "authctl",
      abstract: "Local authentication from the shell: policies decide, and exit statuses say how.",
      discussion: """
        Evaluates policies through your own daemon, which is started when it is needed, and drives
        simulated devices for tests. Answers go to standard output, everything else to standard
        error, prompts to the terminal.
        """,
      subcommands: [
        EvaluateVerb.command, CanEvaluateVerb.command, ExecVerb.command, RunVerb.command,
        InjectVerb.command, AgentVerb.command, StatusVerb.command,
        PanelVerb.command,
        DeviceVerbs.command, SensorVerbs.command, PasscodeVerbs.command, KeychainVerbs.command,
        PolicyVerbs.command, AuthenticatorVerbs.command, GrantVerbs.command, JWKSVerb.command,
        AuditVerb.command, FileVerbs.command, BackupVerbs.command, KeyValueVerbs.command,
        DocumentVerbs.command, TableVerbs.command,
        SyncVerbs.command, HubVerbs.command, RNCryptVerbs.command, DaemonVerbs.command,
        CompletionVerb.command { CommandTable.tree },
      ]
    )
  )
}
