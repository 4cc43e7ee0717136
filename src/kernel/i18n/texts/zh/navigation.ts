export const navigation = {
  sections: '菜单分区',
  more: '更多',
  refusedTitle: '无法在此显示“{title}”',
  refused: '出于安全考虑，系统只嵌入已允许的来源，{origin} 不在其中。您可以在新窗口打开；如需嵌入，请联系管理员。',
  openWindow: '在新窗口打开',
};
