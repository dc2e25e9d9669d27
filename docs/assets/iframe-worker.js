// Search on pages that were opened as files. Browsers refuse workers from file://, so this gives
// the theme's search a hidden frame instead, which takes and sends the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.waiting = [];
      this.frame = frame;
      window.addEventListener("message", (event) => {
        if (event.source === frame.contentWindow) this.receive(event.data);
      });
      const page = frame.contentDocument;
      page.open();
      page.write(`<script>
        var load = (address) => new Promise((done, failed) => {
          const script = document.createElement("script");
          Object.assign(script, { src: address, onload: done, onerror: failed });
          document.head.append(script);
        });
        var importScripts = async (...addresses) => { for (const each of addresses) await load(each); };
        postMessage = (data) => parent.postMessage(data, "*");
      </script>`);
      page.close();
      frame.contentWindow.load(String(address)).then(() => {
        for (const data of this.waiting) this.send(data);
        this.waiting = null;
      });
    }

    receive(data) {
      this.dispatchEvent(new MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.send(data);
    }

    send(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
