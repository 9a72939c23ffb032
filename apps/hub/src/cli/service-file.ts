/** Command and environment with which a service manager starts the server. */
export interface ServiceCommand {
  /** Node and the `holdfast` script. */
  readonly program: readonly [node: string, script: string];
  readonly environment: Readonly<Record<string, string>>;
}

/** The dedicated user of a system service, and the name of its folders. */
export const SYSTEM_USER = 'holdfast';
export const SYSTEM_HOME = '/var/lib/holdfast';

/** Exit status for wrong settings, which a restart cannot correct. */
const WRONG_SETTINGS = 2;

export function userUnit(command: ServiceCommand): string {
  return unit([...serviceLines(command), 'WorkingDirectory=%h'], 'default.target');
}

/**
 * Returns the systemd unit for a service that starts without a login. The service can write only to its own data home.
 */
export function systemUnit(command: ServiceCommand): string {
  const hardening = [
    `User=${SYSTEM_USER}`,
    `Group=${SYSTEM_USER}`,
    `StateDirectory=${SYSTEM_USER}`,
    'StateDirectoryMode=0700',
    `WorkingDirectory=${SYSTEM_HOME}`,
    'UMask=0077',
    `ReadWritePaths=${SYSTEM_HOME}`,
    'ProtectSystem=strict',
    'ProtectHome=true',
    'PrivateTmp=true',
    'PrivateDevices=true',
    'ProtectKernelTunables=true',
    'ProtectKernelModules=true',
    'ProtectControlGroups=true',
    'NoNewPrivileges=true',
    'CapabilityBoundingSet=',
    'RestrictSUIDSGID=true',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
    'LockPersonality=true',
    'SystemCallArchitectures=native',
  ];
  return unit([...serviceLines(command), ...hardening], 'multi-user.target');
}

function serviceLines({ program: [node, script], environment }: ServiceCommand): readonly string[] {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  return [
    'Type=exec',
    `ExecStart=${quoted(node)} ${argument(script)} serve`,
    ...variables,
    'Restart=on-failure',
    'RestartSec=1',
    `RestartPreventExitStatus=${WRONG_SETTINGS}`,
  ];
}

function unit(service: readonly string[], target: string): string {
  const sections = [
    // Disables the restart limit: by default, systemd gives up after five restarts in ten seconds.
    ['[Unit]', 'Description=Holdfast server', 'After=network.target', 'StartLimitIntervalSec=0'],
    ['[Service]', ...service],
    ['[Install]', `WantedBy=${target}`],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** systemd expands `%` everywhere. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/gu, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

/** systemd expands `$` only in the arguments of a command. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

/** Returns the launchd agent for macOS. launchd has no journal, so the server logs to a file. */
export function launchdAgent({ program, environment }: ServiceCommand, label: string, log: string): string {
  const variables = Object.entries(environment).map(([name, value]) => `<key>${xml(name)}</key>${strings([value])}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${strings([label])}
  <key>ProgramArguments</key><array>${strings([...program, 'serve'])}</array>
  <key>EnvironmentVariables</key><dict>${variables.join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardOutPath</key>${strings([log])}
  <key>StandardErrorPath</key>${strings([log])}
</dict>
</plist>
`;
}

function strings(values: readonly string[]): string {
  return values.map((value) => `<string>${xml(value)}</string>`).join('');
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
