/** Stands for Message and Notification where Arco only sets them up: ours keep their presets and come with the first toast. */
const unpreparedNotices = { config: () => undefined };

export default unpreparedNotices;
