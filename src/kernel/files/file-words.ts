import type { Words } from '#shared/text';

/** What is said of files on their way and before the eye. */
export const fileWords = {
  dropHere: ['将文件拖到此处上传', 'Drop files here to upload them'],
  uploading: ['{name}：{percent}%', '{name}: {percent}%'],
  failed: ['{name} 上传中断', '{name} broke off'],
  resume: ['继续上传 {name}', 'Go on with {name}'],
  stop: ['停止上传 {name}', 'Stop {name}'],
  download: ['下载', 'Download'],
  noPreview: ['此类文件不能预览，请下载后查看', 'Files of this kind cannot be shown. Download it'],
  pageOf: ['第 {page} / {count} 页', 'Page {page} of {count}'],
  earlier: ['上一页', 'Page before'],
  later: ['下一页', 'Next page'],
  upload: ['上传文件', 'Upload files'],
} as const satisfies Record<string, Words>;
