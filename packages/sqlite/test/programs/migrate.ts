/** Opens a database with three migrations of two statements each, then prints "done". Arguments: database. */
import { failpoint } from '@holdfast/base';

import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
const database = await openDatabase({
  path,
  kind: 'tables',
  migrations: {
    scope: 'test',
    steps: [1, 2, 3].map((version) => ({
      version,
      description: `step ${version}`,
      up(connection) {
        for (const part of ['a', 'b']) {
          connection.exec(`CREATE TABLE t${version}${part} (id INTEGER PRIMARY KEY)`);
          failpoint('test.statement');
        }
      },
    })),
  },
});
process.stdout.write('done\n');
await database.close();
