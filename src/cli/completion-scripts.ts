// What shells load to complete our commands. Each asks `signalbox __complete` for words, so that they never go stale.

export const shells = ["bash", "zsh", "fish"] as const;

const bash = `# Completion of signalbox for bash.
_signalbox() {
  local IFS=$'\\n' word=\${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(signalbox __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _signalbox signalbox
`;

const zsh = `#compdef signalbox
# Completion of signalbox for zsh.
_signalbox() {
  local -a proposals
  local line
  while IFS= read -r line; do
    proposals+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(signalbox __complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)
  if (( \${#proposals} )); then _describe signalbox proposals; else _files; fi
}
compdef _signalbox signalbox
`;

const fish = `# Completion of signalbox for fish.
function __signalbox_complete
  set -l words (commandline -opc) (commandline -ct)
  signalbox __complete -- $words[2..-1] 2>/dev/null
end
complete -c signalbox -a '(__signalbox_complete)'
`;

export const completionScripts: Readonly<Record<(typeof shells)[number], string>> = { bash, zsh, fish };
