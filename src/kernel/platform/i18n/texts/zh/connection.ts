export const connection = {
  offline: '网络已断开，恢复后即可继续，填写的内容不会丢失。',
  lost: '暂时无法连接服务器，正在重试…',
  slow: '网络较慢，请稍候…',
  back: '连接已恢复',
  look: '立即重试',
  newVersion: '系统已更新',
  newVersionHint: '刷新页面即可使用新版本。',
  newVersionUnsaved: '您有未保存的修改，请保存后再刷新页面。',
  reload: '刷新页面',
  later: '稍后',
};
