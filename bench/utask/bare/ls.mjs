/** What `ut ls` does, written down with NATS' own client: one watch of the bucket until it has caught up. */
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
process.stdout.write(tasks.map(({ id, text, tags }) => `${id.slice(0, 12)}  ${text}  [${tags}]\n`).join(''));
await connection.close();
