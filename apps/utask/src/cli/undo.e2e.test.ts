import { expect, it } from 'vitest';
import { forBothBackends, Person, type Ran } from '../../test/command.ts';

/**
 * Returns the failpoints that a command reached, in order, each with a count: `utask.add.stored:2` means that the
 * command reached `utask.add.stored` for the second time.
 */
function passesOf({ stderr }: Ran): readonly string[] {
  const counts = new Map<string, number>();
  return [...stderr.matchAll(/^failpoint (.+)$/gm)].map(([, name = '']) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name}:${counts.get(name)}`;
  });
}

forBothBackends('ut', (newPerson) => {
  const at = (person: Person, failpoint: string, args: readonly string[], input: string): Ran =>
    new Person({ ...person.env, HOLDFAST_FAILPOINT: failpoint }).run(args, input);

  it('undoes what a killed command has done, and nothing else, wherever it was killed', () => {
    const person = newPerson();
    const [one, two] = [person.add('one', 'a'), person.add('two', 'a', 'b')];
    person.ut('done', two.id);
    const before = person.ut('export').stdout;
    // Every run imports new ids, because importing an id that was deleted before runs different code.
    let runs = 0;
    const imported = (): string => {
      runs += 1;
      const fresh = { ...two, id: runs.toString(16).padStart(one.id.length, 'f'), text: 'new' };
      return `${JSON.stringify([{ ...one, text: 'uno', tags: ['c'] }, fresh, { ...fresh, id: two.id }])}\n`;
    };
    const commands: readonly (readonly [args: readonly string[], input: () => string])[] = [
      [['import', '-', '--overwrite'], imported],
      [['add', '-', '-t', 'a'], () => 'three\nfour\n'],
    ];
    for (const [args, input] of commands) {
      const command = args.join(' ').slice(0, 20);
      const passes = passesOf(at(person, '?', args, input()));
      expect(passes.length, command).toBeGreaterThan(1);
      for (const pass of passes) {
        expect(person.ut('undo'), `before ${pass} of ${command}`).toMatchObject({ code: 0 });
        expect(person.ut('export').stdout, command).toBe(before);
        expect(at(person, pass, args, input()).code, `${command} is killed at ${pass}`).toBeNull();
      }
      expect(person.ut('undo')).toMatchObject({ code: 0 });
      expect(person.ut('export').stdout, command).toBe(before);
    }
    // A killed command may leave extra ids on tag lists, but a tag's list never lacks the id of a task with that tag.
    expect(person.data('rebuild-index')).toMatchObject({ added: 0 });
  });
});
