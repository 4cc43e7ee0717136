import { sql } from 'drizzle-orm';
import { type InboxKind, type InboxStatus, inboxStatuses } from '#shared/inbox';
import type { Words } from '#shared/text';
import type { Database } from '../db/database.ts';

interface Sample {
  readonly kind: InboxKind;
  readonly title: Words;
  readonly body: Words;
  readonly status?: InboxStatus;
  readonly link?: string;
}

const { started, notStarted, hasErrors, completed } = inboxStatuses;
const report = (status: InboxStatus, title: Words, body: Words): Sample => ({ kind: 'notice', status, title, body });

/** Oldest first: each stands an hour after the one before. */
const samples: readonly Sample[] = [
  report(
    completed,
    ['部门与岗位已初始化', 'Departments and posts are set up'],
    ['总公司已建立，可在权限管理中继续添加。', 'Head office exists; add more under Permissions.'],
  ),
  report(completed, ['每日数据备份', 'Daily backup'], ['备份已完成，用时 42 秒。', 'The backup took 42 seconds.']),
  report(completed, ['城市数据导入', 'City import'], ['共导入 342 个城市。', '342 cities were imported.']),
  report(hasErrors, ['素材转码', 'Media transcoding'], ['3 个素材转码失败，请检查原文件格式。', '3 files could not be transcoded. Check their formats.']),
  report(completed, ['周报生成', 'Weekly report'], ['上周任务分发报表已生成。', "Last week's task report is ready."]),
  report(completed, ['过期会话清理', 'Expired sessions removed'], ['已清理 18 个过期会话。', '18 expired sessions were removed.']),
  report(hasErrors, ['结算对账', 'Settlement check'], ['有 2 笔记录金额不一致，请人工核对。', '2 amounts do not match. Please check them by hand.']),
  report(notStarted, ['月度结算', 'Monthly settlement'], ['将于每月 1 日 02:00 执行。', 'Runs on the 1st of every month at 02:00.']),
  report(completed, ['广告主资料同步', 'Advertiser sync'], ['全部资料已是最新。', 'Everything is up to date.']),
  report(started, ['任务素材归档', 'Archiving task media'], ['正在归档上季度的任务素材。', "Archiving last quarter's task media."]),
  report(notStarted, ['磁盘空间检查', 'Disk space check'], ['已排入今晚的计划。', 'Scheduled for tonight.']),
  report(started, ['排行榜刷新', 'Refreshing rankings'], ['正在重新计算本周排行。', "This week's rankings are being worked out."]),
  {
    kind: 'mail',
    title: ['月度运营简报', 'Monthly operations brief'],
    body: ['本月任务量与上月持平，审核时长缩短 12%。', 'Task volume is level; reviews are 12% quicker.'],
  },
  {
    kind: 'mail',
    title: ['请确认新的审核规则', 'Please confirm the new review rules'],
    body: ['自下月起，凭证需包含拍摄时间。', 'From next month, proofs must show when they were taken.'],
  },
  {
    kind: 'message',
    title: ['欢迎使用', 'Welcome'],
    body: ['从首页的快捷入口开始，再为同事开通账号。', 'Begin with the shortcuts on the home page, then add your colleagues.'],
    link: '/wel/index',
  },
  {
    kind: 'message',
    title: ['建议修改初始密码', 'Consider a new password'],
    body: ['定期更换密码，账户更安全。', 'Changing it now and then keeps the account safe.'],
    link: '/info/index',
  },
];

/** Gives the first administrator something to see; part of the transaction that makes the account. */
export async function seedSampleMessages(db: Database, { userId, tenantId }: { userId: string; tenantId: string }): Promise<void> {
  for (const [index, { kind, title, body, status, link }] of samples.entries()) {
    await db.sql.execute(sql`
      insert into inbox_message (tenant_id, user_id, kind, title, body, status, link, create_time)
      values (${tenantId}, ${userId}, ${kind}, ${JSON.stringify(title)}::jsonb, ${JSON.stringify(body)}::jsonb, ${status ?? null}, ${link ?? null},
        now() - make_interval(hours => ${samples.length - index}))`);
  }
}
