import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ObjectStore, readAll } from '#server';
import { type Language, say, type Words } from '#shared/text';
import { type OssVerdict, probeSteps, probeWords } from '../contract.ts';
import { reasonOf } from './s3-failures.ts';

/** Result of a test: the number of passed steps and the error of the next one. */
export interface ProbeResult {
  readonly passed: number;
  readonly reason: Words | undefined;
}

/** Writes, reads and removes a small object, and stops at the first failure. */
export async function probe(open: () => Promise<ObjectStore>): Promise<ProbeResult> {
  const key = randomBytes(16).toString('hex');
  const content = randomBytes(64);
  let passed = 0;
  try {
    const store = await open();
    await store.put(key, Readable.from([content], { objectMode: false }));
    passed = 1;
    const read = await readAll(await store.open(key));
    if (!read.equals(content)) return { passed, reason: probeWords.changed };
    passed = 2;
    await store.remove(key);
    if ((await store.size(key)) !== undefined) return { passed, reason: probeWords.forbidden };
    return { passed: 3, reason: undefined };
  } catch (error) {
    return { passed, reason: reasonOf(error) };
  }
}

/** Converts the result for display. */
export function verdictOf({ passed, reason }: ProbeResult, language: Language): OssVerdict {
  const steps = Object.values(probeSteps).map((title, place) => {
    const state = place < passed ? 'passed' : place === passed ? 'failed' : 'skipped';
    const detail = state === 'passed' ? probeWords.passed : state === 'failed' && reason ? reason : probeWords.skipped;
    return { title: say(title, language), state, detail: say(detail, language) } as const;
  });
  return { works: reason === undefined, steps };
}
