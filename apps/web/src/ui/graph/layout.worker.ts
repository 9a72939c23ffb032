import { layOut, type LayoutRequest } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(layOut(data));
});
