import { INPUT_OPTIONS, inputFile, type OnComplaint, runFfmpeg } from '../adapters/ffmpeg.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { ScannedFile } from '../model/scanned.ts';
import { targetFor } from './pipeline.ts';
import { chapterComments } from './tag-arguments.ts';

export interface TranscodeRequest {
  readonly source: string;
  readonly file: ScannedFile;
  readonly format: string;
  readonly work: string;
  readonly index: number;
  readonly bitrateKbps?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number) => void;
  readonly onComplaint: OnComplaint;
}

interface Encoder {
  readonly codec: string;
  readonly muxer: string;
  readonly hasBitrate: boolean;
  readonly hasPicture: boolean;
  readonly hasComments?: true;
}

const ENCODERS: ReadonlyMap<string, Encoder> = new Map(
  Object.entries({
    m4b: { codec: 'aac', muxer: 'ipod', hasBitrate: true, hasPicture: true },
    m4a: { codec: 'aac', muxer: 'ipod', hasBitrate: true, hasPicture: true },
    mp3: { codec: 'libmp3lame', muxer: 'mp3', hasBitrate: true, hasPicture: true },
    flac: { codec: 'flac', muxer: 'flac', hasBitrate: false, hasPicture: true, hasComments: true },
    opus: { codec: 'libopus', muxer: 'opus', hasBitrate: true, hasPicture: false, hasComments: true },
  }),
);

/** Encodes one file with its tags, chapters and cover; returns the name of the result. */
export async function transcodeFile(request: TranscodeRequest): Promise<string> {
  const { source, file, format, work, index, signal, onProgress, onComplaint } = request;
  const encoder = ENCODERS.get(format);
  if (encoder === undefined) {
    throw audiobookErrors.FIELD_INVALID(
      `There is no encoder for "${format}"; there are ${[...ENCODERS.keys()].join(', ')}.`,
    );
  }
  const name = `new-${index}.${format}`;
  const { sampleRate, channels, bitrateKbps } = targetFor([file], request.bitrateKbps);
  const picture = encoder.hasPicture ? ['-map', '0:v?', '-c:v', 'copy'] : [];
  const disposition = picture.length > 0 && file.cover !== undefined ? ['-disposition:v:0', 'attached_pic'] : [];
  const input = [...INPUT_OPTIONS, '-i', inputFile(source), '-map', '0:a:0', ...picture, ...disposition];
  const bitrate = encoder.hasBitrate ? ['-b:a', `${bitrateKbps}k`] : [];
  // Opus chooses its own rates and always plays at 48,000 Hz.
  const rate = format === 'opus' ? [] : ['-ar', String(sampleRate)];
  // In Ogg, tags belong to the stream; elsewhere, to the file.
  const tags = file.format === 'ogg' || file.format === 'opus' ? '0:s:a:0' : '0';
  const chapters = encoder.hasComments === true ? chapterComments(file.chapters) : ['-map_chapters', '0'];
  const sound = ['-map_metadata', tags, ...chapters, '-c:a', encoder.codec, ...bitrate, ...rate];
  const args = [...input, ...sound, '-ac', String(channels), '-f', encoder.muxer, name];
  await runFfmpeg({ args, cwd: work, signal, onProgress, onComplaint });
  return name;
}
