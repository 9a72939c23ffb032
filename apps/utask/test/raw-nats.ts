/** NATS' own client, for measurements that compare us with it. */
export { jetstream, jetstreamManager } from '@nats-io/jetstream';
export { Kvm } from '@nats-io/kv';
export { connect, type NatsConnection } from '@nats-io/transport-node';
