import type { LocalizedText } from '#shared/text';
import type { KeptRows, PersonalRecords, PersonKey } from './personal-records.ts';

const law: LocalizedText = [
  '《网络安全法》要求留存网络日志不少于六个月；日志已封存，删除会使其无法校验',
  'The Cybersecurity Law requires logs for at least six months; they are sealed, and a deletion would make them unverifiable',
];
const untilLogs: LocalizedText = ['日志保留期满', 'The end of the retention of logs'];
const logged: KeptRows = { reason: law, until: untilLogs };
const byUser: Readonly<Record<string, PersonKey>> = { user_id: 'user' };

const deleted = (table: string, title: LocalizedText, columns: readonly string[], person = byUser): PersonalRecords => ({
  table,
  title,
  person,
  columns,
  erase: 'delete',
});
const kept = (table: string, title: LocalizedText, columns: readonly string[], person = byUser): PersonalRecords => ({
  table,
  title,
  person,
  columns,
  kept: logged,
});

/** Rows of the server itself that are about people. */
export const kernelRecords: readonly PersonalRecords[] = [
  deleted('session', ['会话', 'Sessions'], ['client_id', 'user_agent', 'address', 'create_time', 'expires_at']),
  deleted('sign_in_step', ['登录步骤', 'Sign-in steps'], ['client_id', 'expires_at']),
  deleted('second_factor', ['二次验证', 'Second factor'], ['confirmed_at', 'create_time']),
  deleted('recovery_code', ['恢复码', 'Recovery codes'], ['user_id']),
  deleted('passkey', ['通行密钥', 'Passkeys'], ['name', 'create_time', 'last_used_at']),
  deleted('user_oauth', ['第三方账号', 'Linked identities'], ['source', 'uuid', 'name', 'avatar', 'email', 'create_time'], {
    user_id: 'user',
    freed_from: 'user',
    email: 'email',
  }),
  deleted('user_preference', ['个人设置', 'Preferences'], ['key', 'value', 'update_time']),
  deleted('shared_view', ['共享视图', 'Shared views'], ['list', 'name', 'view', 'update_time']),
  deleted('scope_rule', ['可见范围', 'Visible rows'], ['entity', 'scope_type']),
  deleted('inbox_message', ['消息', 'Notifications'], ['kind', 'title', 'body', 'create_time', 'read_at']),
  deleted('idempotent_reply', ['请求应答', 'Stored replies'], ['create_time']),
  deleted('transfer', ['导入导出', 'Exports and imports'], ['kind', 'title_zh', 'title_en', 'state', 'create_time'], { owner_id: 'user' }),
  kept('login_log', ['登录日志', 'Sign-in log'], ['account', 'outcome', 'way', 'address', 'device', 'user_agent', 'create_time'], {
    user_id: 'user',
    account: 'account',
  }),
  kept('api_log', ['接口日志', 'API log'], ['title', 'method', 'request_uri', 'remote_ip', 'user_agent', 'params', 'status_code', 'create_time']),
  kept('record_change', ['变更历史', 'Changes of records'], ['entity', 'record_id', 'action', 'create_time']),
  kept('personal_access', ['个人信息日志', 'Personal data log'], ['action', 'entity', 'fields', 'create_time']),
];
