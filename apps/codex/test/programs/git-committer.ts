/**
 * Opens a notebook and commits its pending changes. With the argument "change", makes some changes first. Tests kill
 * this program at a failpoint.
 */
import { openGitNotebook } from '../git-notebook.ts';

const [base = '', what] = process.argv.slice(2);
const notebook = await openGitNotebook({ base });
if (what === 'change') {
  await notebook.write('a.md', 'second');
  await notebook.rename('x.md', 'y.md');
  await notebook.write('x.md', 'new at the old place', { author: 'Bob' });
  await notebook.remove('z.md');
  await notebook.rename('folder', 'moved');
  await notebook.write('moved/more.md', 'm');
}
await notebook.flush();
await notebook.close();
