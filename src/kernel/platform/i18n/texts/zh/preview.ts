/** Texts of the preview with other roles. */
export const preview = {
  title: '角色预览',
  as: '正在以「{roles}」预览。',
  none: '已删除的角色',
  readOnly: '菜单、按钮和数据以该角色为准，不能更改任何内容。',
  end: '结束预览',
  ended: '预览已结束',
};
