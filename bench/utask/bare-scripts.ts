/** `ut add` and `ut ls` with NATS' own client, as the text of plain scripts. */
export const bareScripts = {
  add: `/** Does the same as \`ut add\` with NATS' own client: writes two tag lists and a task by compare-and-set. */
import { createHash, randomBytes } from 'node:crypto';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';

const connection = await connect({ servers: process.argv[2].replace('nats://', '') });
const kvm = new Kvm(connection);
const [tasks, tags] = await Promise.all([kvm.open('utask_tasks'), kvm.open('utask_tags')]);
const created = new Date().toISOString();
const text = 'Buy milk';
const id = createHash('sha512').update(\`\${created}\\n\${text}\\n\`).update(randomBytes(16)).digest('hex');
await Promise.all(
  ['bare1', 'bare2'].map(async (tag) => {
    const entry = await tags.get(tag);
    if (entry === null) await tags.create(tag, id);
    else await tags.update(tag, \`\${entry.string()}\\n\${id}\`, entry.revision);
  }),
);
await tasks.create(id, JSON.stringify({ id, text, done: false, tags: ['bare1', 'bare2'], created }));
process.stdout.write(\`\${id.slice(0, 12)}  \${text}  [bare1,bare2]\\n\`);
await connection.close();
`,
  ls: `/** Does the same as \`ut ls\` with NATS' own client: watches the bucket until it has caught up. */
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';

const connection = await connect({ servers: process.argv[2].replace('nats://', '') });
const bucket = await new Kvm(connection).open('utask_tasks');
const tasks = [];
for await (const entry of await bucket.watch()) {
  if (entry.operation === 'PUT') tasks.push(entry.json());
  if (entry.isUpdate) break;
}
tasks.sort((left, right) => (left.created < right.created ? -1 : 1));
process.stdout.write(tasks.map(({ id, text, tags }) => \`\${id.slice(0, 12)}  \${text}  [\${tags}]\\n\`).join(''));
await connection.close();
`,
} as const;
