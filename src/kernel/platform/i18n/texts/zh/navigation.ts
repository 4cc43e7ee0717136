export const navigation = {
  sections: '菜单分区',
  more: '更多',
  refusedTitle: '无法在此显示「{title}」',
  refused:
    '出于安全考虑，仅支持嵌入已允许的来源，{origin} 不在其中。页面将在新窗口打开，如未打开请点击下方按钮。如需嵌入，请联系管理员将该来源加入部署清单或 CONSOLE_SETTINGS 文件的 frames 设置。',
  openWindow: '在新窗口打开',
};
