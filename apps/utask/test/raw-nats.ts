/** NATS' own client, as a baseline for benchmarks. */
export { jetstream, jetstreamManager } from '@nats-io/jetstream';
export { Kvm } from '@nats-io/kv';
export { connect, type NatsConnection } from '@nats-io/transport-node';
