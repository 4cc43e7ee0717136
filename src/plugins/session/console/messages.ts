import type { LocalizedText } from '#shared/text';

/** Texts of the page of online users. */
export const onlineMessages = {
  noSessions: ['没有登录的用户', 'No signed-in users'],
  noSessionsHint: ['登录的用户及其设备显示在这里。', 'Signed-in users and their devices appear here.'],
  kick: ['强制下线', 'End session'],
  question: ['确定结束所选的 {count} 个会话？相应用户将立即下线。', 'End {count} selected sessions? Their users are signed out immediately.'],
  questionOne: ['确定将「{name}」强制下线？', 'End this session of “{name}”? The user is signed out immediately.'],
  signedIn: ['登录时间', 'Signed in'],
  kicked: ['已下线 {count} 个会话', 'Sessions ended: {count}'],
} as const satisfies Record<string, LocalizedText>;
