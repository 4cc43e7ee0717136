import type { WorkChallenge } from '#shared/auth';
import { findNumber, type WorkReport } from './work.ts';

const batchSize = 2000;
const report = (report: WorkReport) => self.postMessage(report);

self.onmessage = ({ data }: MessageEvent<WorkChallenge>) => {
  for (let from = 0; from <= data.maxnumber; from += batchSize) {
    const number = findNumber(data, from, Math.min(from + batchSize, data.maxnumber + 1));
    if (number !== undefined) return report({ number });
    report({ fraction: Math.min(1, (from + batchSize) / data.maxnumber) });
  }
  report({ isUnsolvable: true });
};
