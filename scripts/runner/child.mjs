/** Runs one command to completion and leaves nothing running. */
import { spawn } from 'node:child_process';
import { repositoryFolder } from '../provision/folders.mjs';

const graceMs = 3_000;

const exitCodeBySignal = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // The process group has already ended.
  }
}

/** Returns the environment that disables watching, prompts and colours. */
function plainOutput() {
  const colours = process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined ? {} : { NO_COLOR: '1' };
  return { CI: process.env['CI'] ?? '1', ...colours };
}

/** The command leads its own process group, so that one signal also reaches the servers and browsers it started. */
export function runChild({ program, args, environment = process.env }, limitMs, onOutput) {
  const output = onOutput === undefined ? 'inherit' : 'pipe';
  const child = spawn(program, args, {
    cwd: repositoryFolder,
    env: { ...environment, ...plainOutput() },
    stdio: ['ignore', output, output],
    detached: true,
  });
  if (onOutput !== undefined) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  return new Promise((resolve) => {
    let stopped = {};
    let force;
    const stop = (why) => {
      stopped = why;
      const group = child.pid;
      if (group === undefined) return;
      signalGroup(group, 'SIGTERM');
      force ??= setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
    };
    const onSignal = (signal) => stop({ problem: `stopped by ${signal}`, interrupted: exitCodeBySignal[signal] ?? 1 });
    const limit = setTimeout(() => stop({ problem: `took longer than ${limitMs / 60_000} minutes` }), limitMs);
    const signals = Object.keys(exitCodeBySignal);
    for (const signal of signals) process.on(signal, onSignal);

    const endGroup = () => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    const finish = (outcome) => {
      clearTimeout(limit);
      clearTimeout(force);
      for (const signal of signals) process.off(signal, onSignal);
      resolve({ ...outcome, ...stopped });
    };
    child.once('error', (error) => finish({ exitCode: 1, problem: error.message }));
    // Ends processes that the command left running, which would keep its output open.
    child.once('exit', endGroup);
    child.once('close', (code) => finish({ exitCode: code ?? 1 }));
  });
}
