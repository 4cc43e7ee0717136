import { problem } from '#shared/errors';

/** Problems of tasks, claims and proofs. */
export const taskProblems = {
  referenceMissing: problem(400, ['{name}不存在或已停用', '{name} not found or disabled.']),
  belowClaimed: problem(409, ['数量不能少于已领取的 {claimed} 份', 'The quantity cannot be less than the {claimed} already claimed.']),
  notDraft: problem(409, ['已提交的任务不能改为草稿', 'A submitted task cannot be changed back to a draft.']),
  notEditable: problem(409, ['「{title}」为{state}状态，不能修改', '“{title}” ({state}) cannot be edited.']),
  notRemovable: problem(409, ['「{title}」为{state}状态，不能删除', '“{title}” ({state}) cannot be deleted.']),
  notPublishable: problem(409, ['「{title}」为{state}状态，不能发布', '“{title}” ({state}) cannot be published.']),
  notTakeDownable: problem(409, ['「{title}」为{state}状态，不能下架', '“{title}” ({state}) cannot be taken down.']),
  hasOpenClaims: problem(409, ['「{title}」还有 {count} 份未审结的领取', '“{title}” still has {count} open claims.']),
  isOver: problem(409, ['「{title}」的结束时间已过', '“{title}” has already ended.']),
  isFull: problem(409, ['名额已领完', 'All places have been claimed.']),
  notOpen: problem(409, ['任务未发布或不在开放时间内', 'This task is not published or not open now.']),
  userLimitReached: problem(409, ['每人限领 {limit} 份', 'Each person can claim up to {limit}.']),
  dailyLimitReached: problem(409, ['今日领取已达上限 {limit} 份', 'You have reached today’s limit of {limit} claims.']),
  openLimitReached: problem(409, [
    '最多同时进行 {limit} 份，请先提交已领取的任务',
    'You can have up to {limit} claims in progress. Submit your claimed tasks first.',
  ]),
  lowScore: problem(409, ['该任务要求信用分不低于 {least}，当前为 {score}', 'This task requires a credit score of at least {least}. Yours is {score}.']),
  wrongClient: problem(403, ['请在小程序中操作', 'Use the mini-app to do this.']),
  noProof: problem(400, ['请输入作品链接或上传截图', 'Enter a link or upload a screenshot.']),
  wrongLink: problem(400, ['链接不符合该平台的要求', 'The link does not match the platform.']),
  claimClosed: problem(409, ['该领取已提交、已放弃或已过期', 'This claim has been submitted, given up or has expired.']),
  alreadyDecided: problem(409, ['「{title}」已由 {name} 审核', '“{title}” was already reviewed by {name}.']),
  heldByOther: problem(409, ['「{title}」正由 {name} 审核', '“{title}” is being reviewed by {name}.']),
  notPending: problem(409, ['「{title}」不在待审核状态', '“{title}” is not pending review.']),
  ownProof: problem(403, ['不能审核自己提交的内容', 'You cannot review your own submission.']),
  noReason: problem(400, ['请输入驳回原因', 'Enter the rejection reason.']),
  tooLateToUndo: problem(409, ['已超过可撤销的时间', 'It is too late to undo this.']),
  placeTaken: problem(409, ['名额已被他人领取，不能撤销驳回', 'The place has been claimed by someone else. The rejection cannot be undone.']),
};
