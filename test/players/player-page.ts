/** A page on which Fluid Player plays `/content.mp4`, after what the VAST URL leads to. */
export function playerPage(vastTag: string): string {
  const options = {
    layoutControls: { autoPlay: true, mute: true },
    vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
  };
  return `<!doctype html><body style="margin:0"><video id="player" width="640" height="360">
    <source src="/content.mp4" type="video/mp4"></video><script src="/player.js"></script>
    <script>fluidPlayer('player', ${JSON.stringify(options)})</script>`;
}
