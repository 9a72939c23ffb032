/** Counts, rebuilds or prunes listening statistics: `listening-victim DATABASE ACTION`. */
import { openAudiobooks } from '../../src/service/audiobooks.ts';
import { catchUp, pruneEvents, rebuildStatistics } from '../../src/service/statistics/count.ts';

const [path = '', action = ''] = process.argv.slice(2);
const audiobooks = await openAudiobooks({ path });
if (action === 'prune') await pruneEvents(audiobooks, { keepDays: 0, keepEvents: 3 });
else if (action === 'rebuild') await rebuildStatistics(audiobooks);
else await catchUp(audiobooks, 'U');
await audiobooks.store.close();
process.stdout.write('done\n');
