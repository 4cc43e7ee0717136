import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';
import { type InboxKind, type InboxStatus, inboxStatuses } from '#shared/inbox';
import type { LocalizedText } from '#shared/text';

interface Sample {
  readonly kind: InboxKind;
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly status?: InboxStatus;
  readonly link?: string;
}

const { started, notStarted, hasErrors, completed } = inboxStatuses;
const titlePrefix = ['示例：', 'Sample: '] as const;
const tip = (title: LocalizedText, body: LocalizedText, link?: string): Sample => ({ kind: 'notice', title, body, ...(link && { link }) });
const state = (status: InboxStatus, title: LocalizedText, body: LocalizedText): Sample => ({ kind: 'notice', status, title, body });

/** Sample notifications, oldest first, each an hour after the previous one. They only describe the console and report no events. */
const samples: readonly Sample[] = [
  tip(['标签页', 'Tabs'], ['在外观设置中开启标签栏，打开的页面便保留为标签页。', 'Turn on the tab bar in appearance settings to keep open pages as tabs.']),
  tip(
    ['列设置', 'Columns'],
    ['列表上方可设置列的顺序、宽度与显示，设置随账号保存。', 'Set the order, width and visibility of columns above a list. They follow you to other machines.'],
  ),
  tip(['常用筛选', 'Saved views'], ['筛选条件可保存为视图，也可共享给同事。', 'Save list filters as a view and share it with colleagues.']),
  tip(
    ['导出与导入', 'Export and import'],
    ['较大的导出在后台进行，完成后在下载中心领取。', 'Large exports run in the background. Get the files from the download center.'],
  ),
  tip(['外观', 'Appearance'], ['右上角可切换浅色与深色、主题、密度和语言。', 'Switch light and dark, theme, density and language in the top bar.']),
  tip(['会话', 'Sessions'], ['在个人信息中可查看并结束您在其他设备上的登录。', 'View and end your sessions on other devices in your profile.'], '/info/index'),
  tip(['查看帮助', 'Find help'], ['在列表页按 ? 查看全部快捷键。', 'Press ? on a list to see every shortcut.']),
  tip(['快速查找', 'Quick find'], ['按 Ctrl K（Mac 为 ⌘ K）查找页面、操作和记录。', 'Press Ctrl K (⌘ K on a Mac) to find pages, actions and records.']),
  state(completed, ['状态「已完成」', 'Status: Completed'], ['作业完成后的通知带有此标记。', 'Notices about completed work have this tag.']),
  state(hasErrors, ['状态「有异常」', 'Status: Has errors'], ['需要您处理的通知带有此标记。', 'Notices that need your attention have this tag.']),
  state(notStarted, ['状态「未开始」', 'Status: Not started'], ['尚未开始的作业的通知带有此标记。', 'Notices about work that has not started have this tag.']),
  state(started, ['状态「进行中」', 'Status: In progress'], ['正在进行的作业的通知带有此标记。', 'Notices about work in progress have this tag.']),
  {
    kind: 'mail',
    title: ['邮件显示在这里', 'Mail appears here'],
    body: ['这是一条示例，可在下方一键移除全部示例。', 'This is a sample. Remove all samples with the button below.'],
  },
  {
    kind: 'mail',
    title: ['点击通知可打开相关页面', 'Select a notification to open its page'],
    body: ['这条示例打开您的个人信息。', 'This one opens your profile.'],
    link: '/info/index',
  },
  {
    kind: 'message',
    title: ['欢迎使用', 'Welcome'],
    body: ['首页的开通清单列出了尚待完成的设置。', 'The setup checklist on the home page lists what remains to be set up.'],
    link: '/wel/index',
  },
  {
    kind: 'message',
    title: ['离开时锁定屏幕', 'Lock the screen when you leave'],
    body: ['点击右上角的锁形图标，设置锁屏密码即可。', 'Select the lock in the top bar and set a lock password.'],
  },
];

/** Creates sample notifications for the first account of the deployment. */
export async function seedFirstSamples(db: Database): Promise<void> {
  const [first] = await queryRows<{ userId: string; tenantId: string }>(
    db,
    sql`select id::text as "userId", tenant_id as "tenantId" from user_account order by id limit 1`,
  );
  if (first) await seedSampleMessages(db, first);
}

/** Creates the sample notifications of one user. */
export async function seedSampleMessages(db: Database, { userId, tenantId }: { userId: string; tenantId: string }): Promise<void> {
  for (const [index, { kind, title, body, status, link }] of samples.entries()) {
    await db.sql.execute(sql`
      insert into inbox_message (tenant_id, user_id, kind, title, body, status, link, is_sample, create_time)
      values (${tenantId}, ${userId}, ${kind}, ${JSON.stringify([titlePrefix[0] + title[0], titlePrefix[1] + title[1]])}::jsonb, ${JSON.stringify(body)}::jsonb, ${status ?? null}, ${link ?? null},
        true, now() - make_interval(hours => ${samples.length - index}))`);
  }
}

/** Removes every sample of the deployment. */
export async function removeSampleMessages(db: Database): Promise<void> {
  await db.asPlatform('samples are removed from every tenant', () => db.sql.execute(sql`delete from inbox_message where is_sample`));
}
