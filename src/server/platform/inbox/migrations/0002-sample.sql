-- Samples are marked, so that they can be removed together.
alter table inbox_message add is_sample boolean not null default false;

create index inbox_message_samples on inbox_message (tenant_id, user_id) where is_sample;

-- The samples of earlier versions reported backups, settlements and jobs that had never run.
delete from inbox_message
where (title ->> 0, body ->> 0) in (
  ('部门与岗位已初始化', '总公司已建立，可在权限管理中继续添加。'),
  ('每日数据备份', '备份已完成，用时 42 秒。'),
  ('城市数据导入', '共导入 342 个城市。'),
  ('素材转码', '3 个素材转码失败，请检查原文件格式。'),
  ('周报生成', '上周任务分发报表已生成。'),
  ('过期会话清理', '已清理 18 个过期会话。'),
  ('结算对账', '有 2 笔记录金额不一致，请人工核对。'),
  ('月度结算', '将于每月 1 日 02:00 执行。'),
  ('广告主资料同步', '全部资料已是最新。'),
  ('任务素材归档', '正在归档上季度的任务素材。'),
  ('磁盘空间检查', '已排入今晚的计划。'),
  ('排行榜刷新', '正在重新计算本周排行。'),
  ('月度运营简报', '本月任务量与上月持平，审核时长缩短 12%。'),
  ('请确认新的审核规则', '自下月起，凭证需包含拍摄时间。'),
  ('欢迎使用', '从首页的快捷入口开始，再为同事开通账号。'),
  ('建议修改初始密码', '定期更换密码，账户更安全。')
);
