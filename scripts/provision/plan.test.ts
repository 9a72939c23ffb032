import { describe, expect, it } from 'vitest';
import { components, selectComponents } from './components.mjs';
import { planFor } from './plan.mjs';

const folder = '/cache/provision';
const lines = (commands: readonly (readonly string[])[]) => commands.map((command) => command.join(' '));

describe('planFor', () => {
  it('does nothing when nothing is missing', () => {
    expect(planFor([], { hasApt: true, isRoot: true }, folder)).toEqual({ commands: [], unpack: [], byHand: [] });
  });

  it('installs as root with one update and one install, each package once', () => {
    const plan = planFor(selectComponents(['ffmpeg', 'ffprobe', 'gcc']), { hasApt: true, isRoot: true }, folder);
    expect(plan.commands).toHaveLength(2);
    expect(lines(plan.commands)[0]).toMatch(/^apt-get .*update$/);
    expect(lines(plan.commands)[1]).toMatch(/ install -y --no-install-recommends ffmpeg gcc libc6-dev$/);
    expect(plan.unpack).toEqual([]);
  });

  it('downloads into its own folder and unpacks when the user is not root', () => {
    const wanted = selectComponents(['sqlite3', 'tmux']);
    const plan = planFor(wanted, { hasApt: true, isRoot: false }, folder);
    expect(plan.unpack).toEqual(wanted);
    for (const line of lines(plan.commands)) {
      expect(line).toContain(`Dir::Cache=${folder}/apt`);
      expect(line).toContain(`Dir::State::lists=${folder}/apt/lists`);
    }
    expect(lines(plan.commands)[1]).toMatch(/--download-only sqlite3 tmux$/);
  });

  it('leaves system programs to a person where there is no apt, and still gets Node 24', () => {
    const plan = planFor(selectComponents(['tmux', 'node24']), { hasApt: false, isRoot: false }, folder);
    expect(plan.byHand.map(({ name }: { name: string }) => name)).toEqual(['tmux']);
    expect(lines(plan.commands)).toEqual([
      expect.stringMatching(/^npm install --prefix \/cache\/provision\/node-24\S* .*node@24/),
    ]);
  });

  it('never installs Node 24 into the project', () => {
    const { commands } = planFor(selectComponents(['node24']), { hasApt: true, isRoot: true }, folder);
    expect(commands).toHaveLength(1);
    expect(commands[0]?.[3]?.startsWith(folder)).toBe(true);
  });
});

describe('components', () => {
  it('can each be had somewhere', () => {
    const all: readonly { debianPackages: readonly string[]; npmPackage?: string }[] = components;
    const nowhere = all.filter(({ debianPackages, npmPackage }) => debianPackages.length === 0 && !npmPackage);
    expect(nowhere).toEqual([]);
  });

  it('are selected by name, and an unknown name is refused', () => {
    expect(selectComponents([])).toBe(components);
    expect(() => selectComponents(['tmux', 'emacs'])).toThrow(/unknown component: emacs/);
  });
});
