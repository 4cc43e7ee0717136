/** Texts of a search that is bounded by time, which are loaded with it. */
export const searchMessages = {
  running: ['已搜索到 {reached} · {share}%', 'Searched back to {reached} · {share}%'],
  stopped: ['搜索已停止，已搜索到 {reached} · {share}%', 'Stopped. Searched back to {reached} · {share}%'],
  done: ['已搜索 {from} 至 {to}。查找更早的记录请选择更大的时间范围。', 'Searched {from} to {to}. To find earlier entries, choose a longer time range.'],
  progress: ['搜索进度', 'Search progress'],
  stop: ['停止', 'Stop'],
  resume: ['继续搜索', 'Resume'],
} as const;
