import { computeLayout, type LayoutRequest } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(computeLayout(data));
});
