import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  dept: ['部门', 'department'],
  post: ['岗位', 'position'],
  user: ['用户', 'user'],
} as const satisfies Record<string, LocalizedText>;

/** Texts that only the console half of this plugin uses. */
export const consoleMessages = {
  addBelow: ['新增下级', 'Add child'],
  departments: ['部门', 'Departments'],
  findDepartment: ['搜索部门', 'Search departments'],
  allUsers: ['全部用户', 'All users'],
  noDepartment: ['没有匹配的部门', 'No departments found'],
  departmentsFailed: ['部门加载失败', 'Could not load departments'],
  retry: ['重试', 'Try again'],
  expand: ['展开{name}', 'Expand {name}'],
  roles: ['分配角色', 'Assign roles'],
  rolesOf: ['分配角色：{name}', 'Assign roles: {name}'],
  rolesOfMany: ['为 {count} 个用户分配角色', 'Assign roles to {count} users'],
  rolesReplaced: ['所选角色将替换原有角色', 'The selected roles replace the current roles.'],
  noRoles: ['没有可授予的角色', 'No roles to grant.'],
  explain: ['权限说明', 'Explain permissions'],
  account: ['账号设置', 'Account settings'],
  accountOf: ['账号设置：{name}', 'Account settings: {name}'],
  access: ['登录', 'Sign-in'],
  reset: ['重置密码', 'Reset password'],
  resetHint: [
    '将生成一次性密码，该用户的所有登录会话立即结束，下次登录时须修改密码。',
    'A one-time password is generated. All sessions of this user end immediately, and the password must be changed at the next sign-in.',
  ],
  resetQuestion: ['确定重置 {names} 的密码？其所有登录会话将立即结束。', 'Reset the password of {names}? All their sessions end immediately.'],
  namesMore: ['{names} 等 {count} 人', '{names} and others ({count} users)'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  disableQuestion: ['确定停用所选用户？停用后将立即退出登录。', 'Disable the selected users? They are signed out immediately.'],
  statusChanged: ['状态已更新', 'Status updated'],
  unlock: ['解锁', 'Unlock'],
  unlocked: ['已解锁', 'Unlocked'],
  resetFactor: ['重置二次验证', 'Reset two-step verification'],
  resetFactorQuestion: ['确定关闭 {name} 的二次验证？', 'Turn off two-step verification for {name}?'],
  factorReset: ['二次验证已关闭', 'Two-step verification is off'],
  platform: ['平台配置', 'Platform settings'],
  save: ['保存', 'Save'],
  saved: ['更新成功', 'Updated'],
  cancel: ['取消', 'Cancel'],
} as const satisfies Record<string, LocalizedText>;
