import type { SectionItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import { acceptEachOthersKeys } from '../replicas/replica-facts.ts';
import type { RunningServer, RunningServers } from '../replicas/running-servers.ts';
import type { DiskSpace, ServerReport } from '../replicas/server-report.ts';
import type { HealthSource } from './health-sources.ts';

const maxLoopBlockedMs = 300_000;
const maxConnectionWaitMs = 120_000;
const maxMemoryShare = 0.9;
/** Free space below which a disk needs attention: a share of the disk, but no more than these bytes. */
const lowSpace = { share: 0.1, bytes: 10 * 1024 ** 3 };
/** Free space below which this is urgent. */
const urgentSpace = { share: 0.03, bytes: 1024 ** 3 };

/** Sources of the health screen about the servers themselves: their problems, whether their keys agree, and their disks. */
export const serverHealth = (servers: RunningServers): readonly HealthSource[] => [
  { section: 'servers', read: async () => problemsOf(await servers.list()) },
  { section: 'keys', read: async () => keysOf((await servers.list()).filter(({ isAlive }) => isAlive)) },
  { section: 'disk', read: async () => (await servers.list()).filter(({ isAlive }) => isAlive).flatMap(disksOf) },
];

function problemsOf(servers: readonly RunningServer[]): SectionItem[] {
  const problems = servers.flatMap((server) => (server.isAlive && server.report ? problemsOfReport(server, server.report) : goneProblem(server)));
  const versions = [...new Set(servers.flatMap(({ isAlive, report }) => (isAlive && report ? [report.version] : [])))].sort();
  if (versions.length < 2) return problems;
  const list = versions.join(', ');
  const text: LocalizedText = [`服务器运行着不同版本（${list}）：请完成升级`, `The servers run different versions (${list}). Finish the upgrade.`];
  return [...problems, { id: 'versions', title: ['版本', 'Versions'], problem: { isUrgent: false, text } }];
}

function goneProblem({ id, host, isAlive, seenTime }: RunningServer): SectionItem[] {
  if (isAlive) return [];
  const text: LocalizedText = [
    `服务器 ${host} 已无响应：请在该机器上查看进程与日志后重启；若已下线，一天后不再显示`,
    `The server ${host} has stopped without notice. Check its process and its output there, and start it again. If it was removed, it is no longer listed after a day.`,
  ];
  return [{ id: `${id}:gone`, title: [host, host], problem: { isUrgent: true, text, since: seenTime } }];
}

function problemsOfReport({ id, host }: RunningServer, report: ServerReport): SectionItem[] {
  const { loopBlockedSince, connectionsWaitedForSince, memoryBytes, memoryLimitBytes, skipped } = report;
  const isLong = (since: number | undefined, ms: number) => since !== undefined && Date.now() - since > ms;
  const texts: LocalizedText[] = [];
  if (isLong(loopBlockedSince, maxLoopBlockedMs))
    texts.push([
      `服务器 ${host} 的事件循环持续阻塞（${report.loopDelayMs} 毫秒）：请减少其负载或增加服务器`,
      `The event loop of ${host} stays blocked (${report.loopDelayMs} ms). Reduce its load or add a server.`,
    ]);
  if (isLong(connectionsWaitedForSince, maxConnectionWaitMs))
    texts.push([
      `服务器 ${host} 的请求持续等待数据库连接：请查看慢查询，或调大 DATABASE_CONNECTIONS`,
      `Requests on ${host} keep waiting for a database connection. Look for slow statements, or raise DATABASE_CONNECTIONS.`,
    ]);
  if (memoryBytes > memoryLimitBytes * maxMemoryShare)
    texts.push([
      `服务器 ${host} 的内存即将用尽：请调大其内存上限，或重启该服务器`,
      `${host} has nearly used up its memory. Raise its memory limit, or restart this server.`,
    ]);
  const items = texts.map((text, index): SectionItem => ({ id: `${id}:${index}`, title: [host, host], problem: { isUrgent: false, text } }));
  return [...items, ...skipped.map((plugin) => skippedProblem(id, host, plugin))];
}

const skippedProblem = (id: string, host: string, { id: plugin, reason: [zh, en] }: ServerReport['skipped'][number]): SectionItem => ({
  id: `${id}:plugin:${plugin}`,
  title: [host, host],
  problem: {
    isUrgent: false,
    page: 'plugin',
    text: [`插件 ${plugin} 未在 ${host} 上运行：${zh}`, `The plugin ${plugin} does not run on ${host}: ${en}.`],
  },
});

function keysOf(servers: readonly RunningServer[]): SectionItem[] {
  const [first] = servers;
  if (!first) return [];
  const source = first.report?.keySource;
  const isGenerated = source === 'generated';
  const items: SectionItem[] = [
    { id: 'fingerprint', title: ['SECRET_KEY 指纹', 'Fingerprint of SECRET_KEY'], text: [first.keyFingerprint, first.keyFingerprint] },
    {
      id: 'source',
      title: ['密钥来源', 'Source of the key'],
      text: isGenerated
        ? ['自动生成，存于 DATA_DIR/secret.key', 'Generated, in DATA_DIR/secret.key']
        : ['环境变量 SECRET_KEY', 'SECRET_KEY in the environment'],
    },
  ];
  const fallbacks = first.fallbackFingerprints ?? [];
  if (fallbacks.length > 0) items.push({ id: 'fallbacks', title: ['仍接受的旧密钥', 'Former keys that are accepted'], value: fallbacks.length });
  if (servers.length === 1) return items;
  const others = servers.filter((server) => !acceptEachOthersKeys(server, first)).map(({ host }) => host);
  const agrees = others.length === 0;
  const agreement: SectionItem = {
    id: 'agreement',
    title: ['各服务器一致', 'Same on all servers'],
    text: agrees ? ['是', 'Yes'] : ['否', 'No'],
    ...(agrees ? {} : { problem: keyProblem(first.host, others.join(', ')) }),
  };
  return [...items, agreement];
}

const keyProblem = (host: string, others: string): NonNullable<SectionItem['problem']> => ({
  isUrgent: true,
  text: [
    `${others} 的 SECRET_KEY 与 ${host} 不同，会话与加密数据无法互通：请统一后重启`,
    `SECRET_KEY of ${others} differs from that of ${host}: sessions and encrypted values of one cannot be read by the other. Set the same value and restart.`,
  ],
});

function disksOf({ id, host, report }: RunningServer): SectionItem[] {
  return (report?.disks ?? []).map((disk): SectionItem => {
    const { setting, path, freeBytes } = disk;
    const problem = diskProblem(host, disk);
    const base = { id: `${id}:${setting}`, title: [`${setting} 剩余空间 · ${host}`, `Free in ${setting} · ${host}`] as const };
    if (disk.failure !== undefined) return { ...base, text: [path, path], ...(problem ? { problem } : {}) };
    return { ...base, value: freeBytes, unit: 'bytes', ...(problem ? { problem } : {}) };
  });
}

function diskProblem(host: string, { setting, path, freeBytes, totalBytes, failure }: DiskSpace): SectionItem['problem'] {
  if (failure !== undefined) {
    const text: LocalizedText = [
      `无法读取 ${host} 上的 ${setting}（${path}）：${failure}。请检查磁盘与权限`,
      `${setting} (${path}) on ${host} cannot be read: ${failure}. Check the disk and its permissions.`,
    ];
    return { isUrgent: true, text };
  }
  const isBelow = ({ share, bytes }: typeof lowSpace) => freeBytes < Math.min(totalBytes * share, bytes);
  if (!isBelow(lowSpace)) return undefined;
  const text: LocalizedText = [
    `${host} 上 ${setting}（${path}）所在磁盘空间不足：请清理或扩容`,
    `The disk of ${setting} (${path}) on ${host} is running out of space. Free some space or enlarge it.`,
  ];
  return { isUrgent: isBelow(urgentSpace), text };
}
