import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ListExports } from '#plugins/transfers/server-extension';
import type { MailKind, Processor, ServerContext } from '#server';
import { ApiError, problems } from '#shared/errors';
import { Id, Json, Nullable, Select, Text } from '#shared/fields';

const Params = Type.Object({
  list: Text({ title: ['列表', 'List'], maxLength: 200, pattern: '^/api/[\\w/-]+$' }),
  userId: Id({ title: ['接收人', 'Recipient'] }),
  format: Nullable(
    Select({
      title: ['格式', 'Format'],
      options: [
        ['xlsx', ['XLSX', 'XLSX']],
        ['csv', ['CSV', 'CSV']],
      ],
    }),
  ),
  language: Nullable(
    Select({
      title: ['语言', 'Language'],
      options: [
        ['zh', ['中文', 'Chinese']],
        ['en', ['英文', 'English']],
      ],
    }),
  ),
  query: Nullable(Json({ title: ['筛选', 'Filters'] })),
});

/** Topic of finished reports. */
export const reportMail: MailKind = {
  code: 'job:report',
  use: 'notification',
  title: ['报表', 'Reports'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}。', '{body}.'],
  ],
  sample: {
    title: ['报表「付款-2026-11.xlsx」已生成', 'The report “payments-2026-11.xlsx” is ready'],
    body: ['可在下载中心下载，保留 24 小时', 'Available in the download center for 24 hours'],
  },
};

/** Exports a list with the permissions of the recipient, who is notified and finds the file in the download centre. */
export const reportExport = ({ inbox, find }: Pick<ServerContext, 'inbox' | 'find'>): Processor => ({
  title: ['导出报表', 'Report export'],
  help: [
    '以接收人的权限导出列表，文件在其下载中心保留 24 小时：{"list":"/api/blade-system/post","userId":"…","format":"xlsx","query":"{\\"status\\":1}"}',
    'Exports a list with the permissions of the recipient and keeps the file in their download center for 24 hours: {"list":"/api/blade-system/post","userId":"…","format":"xlsx","query":"{\\"status\\":1}"}',
  ],
  params: Params,
  async run({ params, tenantId, signal, log, write }) {
    const { list, userId, format, language, query } = JSON.parse(params) as Static<typeof Params>;
    const filters = query ? { query: JSON.parse(query) as Record<string, string> } : {};
    const exports = find(ListExports);
    if (!exports) throw new ApiError(problems.unavailable);
    const { rows, fileName } = await exports.runExport({ tenantId, userId, list, format: format ?? 'xlsx', language: language ?? 'zh', signal, ...filters });
    log('info', `${fileName}: ${rows} rows`);
    await write(() =>
      inbox.deliver({
        tenant: tenantId,
        users: [userId],
        kind: 'message',
        topic: reportMail.code,
        title: [`报表「${fileName}」已生成`, `The report “${fileName}” is ready`],
        body: ['可在下载中心下载，保留 24 小时', 'Available in the download center for 24 hours'],
      }),
    );
    return `${fileName}: ${rows}`;
  },
});
