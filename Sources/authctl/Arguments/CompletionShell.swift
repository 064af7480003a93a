/// The shells that completion scripts exist for.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
  case bash
  case zsh
  case fish

  /// The script to source or install.
  ///
  /// It knows no verb: it hands the words to the `authctl` in `PATH` and offers what that prints, a
  /// word and its explanation on each line, or one line that names something the shell lists itself.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// For bash 4.4 and later; the bash-completion package is not needed.
  ///
  /// Readline parts words at `=` and `:` too. They are joined again, and what stands before the last
  /// of these characters is cut off what is offered. It hands words over as they are typed, with
  /// quotes and backslashes, and takes what stands behind an open quote as it is.
  private static let bashScript = """
    # bash completion for authctl, made by 'authctl completion bash'.

    # Sets text to what the raw word $1 means, quote to the quote that is open at its end, and inside to
    # the text before that quote.
    _authctl_unquote() {
      local raw="$1" index char next
      text="" quote="" inside=""
      for ((index = 0; index < ${#raw}; index++)); do
        char="${raw:index:1}" next="${raw:index+1:1}"
        if [[ $char == "$quote" ]]; then
          quote=""
        elif [[ $quote == "'" ]]; then
          text+="$char"
        elif [[ $char == \\\\ && ( -z $quote || $next == [\\\\\\"\\`\\$] ) ]]; then
          text+="$next"
          ((index++))
        elif [[ -z $quote && $char == [\\"\\'] ]]; then
          quote="$char" inside="$text"
        else
          text+="$char"
        fi
      done
    }

    # Sets word to how $1 is typed behind the open quote.
    _authctl_quote() {
      local char index
      case $quote in
      \\') word="${1//\\'/"'\\\\''"}" ;;
      \\")
        word=""
        for ((index = 0; index < ${#1}; index++)); do
          char="${1:index:1}"
          [[ $char == [\\\\\\"\\`\\$] ]] && word+=\\\\
          word+="$char"
        done
        ;;
      *) printf -v word %q "$1" ;;
      esac
    }

    _authctl() {
      local word text quote inside joined="" words=() offers=() index
      local current="${COMP_WORDS[COMP_CWORD]}"
      for ((index = 1; index <= COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        if [[ $word == [=:]* && ${#words[@]} -gt 0 ]]; then
          words[-1]+="$word" joined=yes
        elif [[ -n $joined ]]; then
          words[-1]+="$word" joined=""
        else
          words+=("$word")
        fi
      done
      [[ $current == [=:]* ]] && current=""
      local start="${words[-1]%"$current"}"
      for ((index = 0; index < ${#words[@]}; index++)); do
        _authctl_unquote "${words[index]}"
        words[index]="$text"
      done
      mapfile -t offers < <(command authctl completion bash -- "${words[@]}" 2>/dev/null)
      _authctl_unquote "$start"
      start="$text"
      _authctl_unquote "$current"
      [[ -n $quote ]] && start+="$inside" current="${text#"$inside"}"
      COMPREPLY=()
      case ${offers[0]} in
      :files) mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames ;;
      :directories) mapfile -t COMPREPLY < <(compgen -d -- "$current"); compopt -o filenames ;;
      :users) mapfile -t COMPREPLY < <(compgen -u -- "$current") ;;
      :programs) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
      *)
        for word in "${offers[@]}"; do
          word="${word%%$'\\t'*}"
          _authctl_quote "${word#"$start"}"
          COMPREPLY+=("$word")
        done
        ;;
      esac
    }

    complete -F _authctl authctl

    """

  private static let zshScript = """
    #compdef authctl
    # zsh completion for authctl, made by 'authctl completion zsh'.

    _authctl() {
      local word help
      local -a offers rows
      offers=("${(@f)$(command authctl completion zsh -- "${(@Q)words[2,CURRENT-1]}" \\
        "${(Q)PREFIX}" 2>/dev/null)}")
      case $offers[1] in
      :files) compset -P '--*='; _files ;;
      :directories) compset -P '--*='; _directories ;;
      :users) compset -P '--*='; _users ;;
      :programs) _path_commands ;;
      ?*)
        for word in $offers; do
          help="${word#*$'\\t'}" word="${word%%$'\\t'*}"
          rows+=("${word//:/\\\\:}${help:+:$help}")
        done
        _describe authctl rows
        ;;
      esac
    }

    if [[ $funcstack[1] == _authctl ]]; then
      _authctl "$@"
    else
      compdef _authctl authctl
    fi

    """

  private static let fishScript = """
    # fish completion for authctl, made by 'authctl completion fish'.

    function __authctl_offers
        set -l words (commandline -opc)
        set -l raw (commandline -ct)
        # A quote that is open at its end is closed, or it could not be read.
        set -l current (string unescape -- "$raw"; or string unescape -- "$raw\\""; \\
            or string unescape -- "$raw'")
        set -l path (string replace -r -- '^--[^=]*=' '' "$current")
        for offer in (command authctl completion fish -- $words[2..-1] "$current" 2>/dev/null)
            switch $offer
                case ':files'
                    __fish_complete_path "$path"
                case ':directories'
                    __fish_complete_directories "$path"
                case ':users'
                    __fish_complete_users
                case ':programs'
                    __fish_complete_command
                case '*'
                    echo $offer
            end
        end
    end

    complete -c authctl -f -a '(__authctl_offers)'

    """
}
