/** Counts, counts again or prunes, as a server or a command would: `listening-victim DATABASE ACTION`. */
import { openCatalogue } from '../../src/service/catalogue.ts';
import { catchUp } from '../../src/service/statistics/catch-up.ts';
import { pruneEvents } from '../../src/service/statistics/prune.ts';
import { rebuildStatistics } from '../../src/service/statistics/rebuild.ts';

const [path = '', action = ''] = process.argv.slice(2);
const catalogue = await openCatalogue({ path });
if (action === 'prune') await pruneEvents(catalogue, { keepDays: 0, keepEvents: 3 });
else if (action === 'rebuild') await rebuildStatistics(catalogue);
else await catchUp(catalogue, 'U');
await catalogue.store.close();
process.stdout.write('done\n');
