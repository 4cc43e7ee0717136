import type { WorkChallenge } from '#shared/auth';
import { numberBetween, type WorkReport } from './work.ts';

const slice = 2000;
const tell = (report: WorkReport) => self.postMessage(report);

self.onmessage = ({ data }: MessageEvent<WorkChallenge>) => {
  for (let from = 0; from <= data.maxnumber; from += slice) {
    const number = numberBetween(data, from, Math.min(from + slice, data.maxnumber + 1));
    if (number !== undefined) return tell({ number });
    tell({ fraction: Math.min(1, (from + slice) / data.maxnumber) });
  }
  tell({ isHopeless: true });
};
