import type { LocalizedText } from '#shared/text';

/** Texts about uploads and previews. */
export const fileMessages = {
  dropHere: ['将文件拖到此处上传', 'Drop files here to upload them'],
  uploading: ['{name}：{percent}%', '{name}: {percent}%'],
  failed: ['{name} 上传中断', 'Upload of {name} was interrupted'],
  resume: ['继续上传 {name}', 'Resume uploading {name}'],
  stop: ['停止上传 {name}', 'Stop uploading {name}'],
  download: ['下载', 'Download'],
  notLoaded: ['文件加载失败，请下载后查看', 'Could not load the file. Download it instead.'],
  noPreview: ['此类文件不能预览，请下载后查看', 'This file type cannot be previewed. Download it instead.'],
  pageOf: ['第 {page} / {count} 页', 'Page {page} of {count}'],
  previousPage: ['上一页', 'Previous page'],
  nextPage: ['下一页', 'Next page'],
  upload: ['上传文件', 'Upload files'],
} as const satisfies Record<string, LocalizedText>;
