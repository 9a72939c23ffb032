/**
 * Changes a plan as fast as it can until it is killed: `writer.ts DATABASE SID NAME`. Prints a line after each change
 * is acknowledged.
 */
import { writeSync } from 'node:fs';
import { addTasks, openNp, updateTasks } from '../../src/index.ts';

const [path = '', sid = '', name = ''] = process.argv.slice(2);
const np = await openNp({ path });
const call = { where: { sid }, cmd: `writer ${name}` };

for (let index = 0; ; index += 1) {
  const tasks = [0, 1].map((part) => ({ title: `${name}.${index}.${part}`, description: '' }));
  const [first] = await addTasks(np, { ...call, tasks });
  writeSync(1, `added ${name}.${index}.0\nadded ${name}.${index}.1\n`);
  const { id } = first?.task ?? { id: '' };
  await updateTasks(np, { ...call, updates: [{ id, status: 'completed' }] });
  writeSync(1, `completed ${name}.${index}.0\n`);
}
