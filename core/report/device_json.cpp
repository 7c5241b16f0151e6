#include "core/report/device_json.h"

namespace tessera {

void writeDevice(JsonWriter& w, const DeviceSpec& device) {
  w.beginObject();
  w.field("id", device.id);
  w.field("title", device.title);
  w.field("arch", device.arch == Arch::WormholeB0 ? "wormhole_b0" : "blackhole");
  w.key("grid");
  w.beginArray(), w.integer(device.grid.rows), w.integer(device.grid.cols), w.endArray();
  w.field("l1Size", device.l1Size.count);
  w.field("l1Base", device.l1UnreservedBase.count);
  w.field("usableL1", device.usableL1().count);
  w.field("dramBanks", device.dramBanks);
  w.field("dramBankSize", device.dramBankSize.count);
  w.field("clockMhz", device.clockMhz);
  w.key("sources");
  w.beginArray();
  for (const SourcedNumber& number : device.sources) {
    w.beginObject();
    w.field("what", number.what);
    w.field("value", number.value);
    w.field("source", number.source);
    w.field("date", number.date);
    w.endObject();
  }
  w.endArray();
  w.endObject();
}

}  // namespace tessera
