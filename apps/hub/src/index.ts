export { type Hub, hubApps, type HubApps, type HubOptions, openHub, pages, VERSION } from './hub.ts';
