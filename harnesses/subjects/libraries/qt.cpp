// SPDX-License-Identifier: MIT
//
// Qt as a subject: QString::fromUtf8; in pieces QTextDecoder (Qt 5) or QStringDecoder (Qt 6), which can be reset.

#include "protocol.h"

#include <QString>

#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
#include <QStringDecoder>

static QStringDecoder decoder(QStringDecoder::Utf8);

static void renew()
{
    decoder.resetState();
}

static QString next(const char *bytes, size_t count)
{
    return decoder(QByteArrayView(bytes, qsizetype(count)));
}

static void (*const reset)() = renew;
static const char *const operations = "decode,reuse";
#else
#include <QTextCodec>
#include <QTextDecoder>
#include <memory>

static std::unique_ptr<QTextDecoder> decoder;

static void renew()
{
    decoder.reset(QTextCodec::codecForName("UTF-8")->makeDecoder());
}

static QString next(const char *bytes, size_t count)
{
    return decoder->toUnicode(bytes, int(count));
}

static void (*const reset)() = nullptr;
static const char *const operations = "decode";
#endif

static bool may_be_whole; // and will be, if the first piece is the last

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    may_be_whole = !is_word(operation, "reuse");
    renew();
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    const char *chars = reinterpret_cast<const char *>(bytes);
    QString text = may_be_whole && is_last ? QString::fromUtf8(chars, int(count)) : next(chars, count);
    emit_utf16(reinterpret_cast<const uint16_t *>(text.utf16()), size_t(text.size()));
    may_be_whole = false;
    return WELL_FORMED;
}

int main()
{
    std::string offer = std::string("encodings=utf-8 policies=own chunks=late ops=") + operations;
    adapter adapter = {begin, feed, reset};
    return speak("qt", offer.c_str(), &adapter);
}
