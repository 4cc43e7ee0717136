/** Texts of the panels of archived and of deleted rows, which are loaded with them. */
export const removedMessages = {
  archived: {
    hint: [
      '已归档的记录不出现在列表和选择框中，仍可查看，随时可以取消归档。',
      'Archived records stay out of lists and pickers. You can still view them and restore them at any time.',
    ],
    restore: ['取消归档', 'Restore from archive'],
    restored: ['已取消归档', 'Restored from archive'],
    empty: { title: ['没有归档的记录', 'Nothing archived'], hint: ['归档的记录显示在这里。', 'Archived records appear here.'] },
  },
  recycled: {
    hint: [
      '删除的记录在保留期内（默认 30 天）可连同下级一起恢复。',
      'Deleted records can be restored with everything below them while they are kept, 30 days by default.',
    ],
    restore: ['恢复', 'Restore'],
    restored: ['已恢复', 'Restored'],
    empty: { title: ['回收站是空的', 'The recycle bin is empty'], hint: ['删除的记录显示在这里。', 'Deleted records appear here.'] },
  },
} as const;

export const deletedBy = ['删除人', 'Deleted by'] as const;
export const deletedAt = ['删除时间', 'Deleted'] as const;
