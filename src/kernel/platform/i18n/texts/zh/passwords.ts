/** Texts of the one-time password dialog. */
export const passwords = {
  title: '一次性密码',
  once: '密码仅显示一次，请立即转交给本人。密码在 {time} 前有效，首次登录时须修改。',
  account: '账号',
  name: '姓名',
  password: '密码',
  copyAll: '全部复制',
  copied: '已复制',
  copyFailed: '无法复制，请下载或手动选择',
  download: '下载 CSV',
  file: '一次性密码',
  close: '关闭',
  closeTitle: '尚未保存密码',
  closeQuestion: '密码尚未复制或下载，关闭后无法再次查看，只能重新重置。',
  closeAnyway: '仍然关闭',
  goBack: '返回',
  show: '查看一次性密码',
};
