/**
 * Names that players, televisions and what puts ads into streams begin their user agents with. To lists of browsers a name and a
 * version is a bot; these are what plays video, in apps and on websites alike.
 */
const PLAYER =
  /^(?:roku|appletv|apple ?tv|applecoremedia|exoplayer|androidxmedia3|stagefright|gstreamer|libvlc|vlc|kodi|tizen|webos|web0s|aft|vizio|smartcast|hbbtv|chromecast)/i;

/** Servers that stitch ads into streams (SSAI) and fetch them by libavformat or as themselves. They show nothing. */
const STITCHER = /^(?:lavf|libavformat|ffmpeg|(?:aws )?elemental[ -]?mediatailor|googleadinsertion|yospace)/i;

/** Whether a user agent is that of a server which puts ads into streams on behalf of viewers. */
export function isStitcher(userAgent: string): boolean {
  return STITCHER.test(userAgent);
}

/** Whether a user agent is known for what plays video: by its name alone it is no bot's. */
export function isPlayer(userAgent: string): boolean {
  return PLAYER.test(userAgent) || STITCHER.test(userAgent);
}
