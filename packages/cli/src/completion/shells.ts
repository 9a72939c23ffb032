/** Completion scripts. They only call the program, which computes the candidates. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Marks that tell the shell to complete paths itself. They cannot be confused with candidates, which never begin with a
 * tab.
 */
export const PATHS_MARK: Readonly<Record<'file' | 'directory', string>> = { file: '\tfile', directory: '\tdirectory' };

export function completionScript(shell: Shell, program: string): string {
  const functionName = `_${program.replaceAll(/\W/gu, '_')}_complete`;
  const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
  return write(program, functionName);
}

function bashScript(program: string, functionName: string): string {
  return `# bash completion for ${program}: eval "$(${program} completion bash)" in ~/.bashrc
${functionName}() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do
    case "$line" in
      $'\\tfile') compopt -o default ;;
      $'\\tdirectory') compopt -o dirnames ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("$1" __complete bash -- "\${COMP_LINE:0:COMP_POINT}" "\${COMP_WORDS[COMP_CWORD]}" 2>/dev/null)
}
complete -F ${functionName} ${program}
`;
}

function zshScript(program: string, functionName: string): string {
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh) in ~/.zshrc, after compinit
${functionName}() {
  local -a candidates
  local line about
  while IFS= read -r line; do
    case "$line" in
      $'\\tfile') _files; return ;;
      $'\\tdirectory') _files -/; return ;;
      *)
        about="\${line#*$'\\t'}"
        candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}\${about:+:$about}") ;;
    esac
  done < <("\${words[1]}" __complete zsh -- "\${(j: :)words[1,CURRENT]}" 2>/dev/null)
  _describe -V '${program}' candidates
}
compdef ${functionName} ${program}
`;
}

function fishScript(program: string, functionName: string): string {
  return `# fish completion for ${program}: ${program} completion fish | source
function ${functionName}
  for line in (${program} __complete fish -- (commandline -cp) 2>/dev/null)
    switch $line
      case \\tfile
        __fish_complete_path (commandline -ct)
      case \\tdirectory
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c ${program} -f -a '(${functionName})'
`;
}
