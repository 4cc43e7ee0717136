import type { HealthItem, SectionItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import type { HealthSource } from '../health/health-sources.ts';
import type { GaugeSource } from '../metrics/metrics.ts';
import type { Evidence } from './evidence.ts';
import type { EvidenceStream } from './stream.ts';

const late = 900;

/** Metrics of the seals of logs and money. */
export const evidenceGauges = (evidence: Evidence, stream: EvidenceStream): GaugeSource[] => [
  {
    name: 'marquee_evidence_differences',
    help: 'Differences between logs or money and their seals that the last verification has found.',
    read: async () => [{ value: (await evidence.state()).differences.length }],
  },
  {
    name: 'marquee_evidence_unsealed_seconds',
    help: 'Age up to which rows of logs and money may not be sealed yet.',
    read: async () => [{ value: (await evidence.state()).unsealedSeconds }],
  },
  {
    name: 'marquee_evidence_unsent_seals',
    help: 'Seals that a destination of EVIDENCE_URL or EVIDENCE_SYSLOG has not received yet.',
    labels: ['destination'],
    read: () => Promise.all(stream.destinations.map(async (one) => ({ labels: { destination: one.name }, value: (await stream.waiting(one)).seals }))),
  },
  {
    name: 'marquee_evidence_unsent_seconds',
    help: 'Age of the first of these seals.',
    labels: ['destination'],
    read: () => Promise.all(stream.destinations.map(async (one) => ({ labels: { destination: one.name }, value: (await stream.waiting(one)).seconds }))),
  },
];

/** Facts of the seals on the health screen. */
export const evidenceHealth = (evidence: Evidence, stream: EvidenceStream): HealthSource => ({
  section: 'database',
  async read() {
    const { checkedAt, differences, unsealedSeconds } = await evidence.state();
    const text: LocalizedText = checkedAt === undefined ? ['尚未核验', 'Not yet'] : [checkedAt, checkedAt];
    const items: SectionItem[] = [
      { id: 'evidence', title: ['日志与账目核验', 'Logs and money verified'], text, ...(differences.length > 0 ? { problem: foundProblem(differences) } : {}) },
      {
        id: 'evidence:age',
        title: ['日志与账目封存滞后', 'Delay of seals'],
        value: unsealedSeconds,
        unit: 'seconds',
        ...(unsealedSeconds > late ? { problem: { isUrgent: false, text: lateText } } : {}),
      },
    ];
    for (const destination of stream.destinations) {
      const { seconds } = await stream.waiting(destination);
      const name = destination.name === 'http' ? 'EVIDENCE_URL' : 'EVIDENCE_SYSLOG';
      items.push({
        id: `evidence:${destination.name}`,
        title: [`封存记录外发滞后（${name}）`, `Delay of seals to ${name}`],
        value: seconds,
        unit: 'seconds',
        ...(seconds > late ? { problem: { isUrgent: false, text: awayText(name) } } : {}),
      });
    }
    return items;
  },
});

const foundProblem = (differences: readonly string[]): NonNullable<HealthItem['problem']> => ({
  isUrgent: true,
  text: [
    `日志或账目在数据库中被改动，共 ${differences.length} 处：请保留数据库现状，并运行 npm run admin -- verify-evidence 查明。第一处：${differences[0]}`,
    `Logs or money were changed in the database (differences: ${differences.length}). Keep the database as it is and run: npm run admin -- verify-evidence. First one: ${differences[0]}`,
  ],
});

const lateText: LocalizedText = [
  '新日志与账目长时间未封存：请查看服务器日志中的原因，并结束数据库中长时间运行的事务',
  'New lines of logs and money have not been sealed for long. Check the output of the servers for the reason, and end long transactions of the database.',
];

const awayText = (name: string): LocalizedText => [
  `${name} 长时间未接收封存记录：请检查接收端与网络，恢复后会自动补发`,
  `${name} has not accepted seals for long. Check the receiver and the network; everything is sent once it answers.`,
];
