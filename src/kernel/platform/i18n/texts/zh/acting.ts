export const acting = {
  title: '切换部门/角色',
  explanation: '切换后只按所选的部门和角色显示菜单和数据，已打开的页面会关闭。',
  dept: '部门',
  role: '角色',
  chooseDept: '请选择部门',
  chooseRole: '请选择角色',
  confirm: '切换',
  cancel: '取消',
  loading: '正在读取您的部门和角色',
  failed: '切换失败，请重试',
  switched: '已切换为 {dept} · {role}',
};
