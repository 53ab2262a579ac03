/**
 * The functions that statements may call: they compute from their arguments alone. Not here are those that read files,
 * settings, dictionaries or other tables, that tell of the server, that run code or models, sleep, or make data from
 * nothing; nor `JSONMergePatch`, which overflows the stack on deep documents and ends the engine, and `printf`, whose widths
 * are memory that no limit counts. Pure.
 */

const BY_KIND = {
  arithmetic: `
    abs avg2 byteSwap divide divideDecimal divideOrNull gcd ifNotFinite intDiv intDivOrNull intDivOrZero isFinite
    isInfinite isNaN lcm max2 midpoint min2 minus modulo moduloLegacy moduloOrNull moduloOrZero multiply
    multiplyDecimal negate plus positiveModulo positiveModuloOrNull sqr`,
  arrays: `
    array arrayAll arrayAvg arrayBottomK arrayCompact arrayConcat arrayCount arrayCumSum arrayCumSumNonNegative
    arrayDifference arrayDistinct arrayDotProduct arrayElement arrayElementOrNull arrayEnumerate
    arrayEnumerateDense arrayEnumerateDenseRanked arrayEnumerateUniq arrayEnumerateUniqRanked arrayExcept
    arrayExists arrayFill arrayFilter arrayFirst arrayFirstIndex arrayFirstOrNull arrayFlatten arrayFold
    arrayIntersect arrayJaccardIndex arrayJoin arrayLast arrayLastIndex arrayLastOrNull arrayMap arrayMax
    arrayMin arrayPartialReverseSort arrayPartialSort arrayPopBack arrayPopFront arrayProduct arrayPushBack
    arrayPushFront arrayRemove arrayResize arrayReverse arrayReverseFill arrayReverseSort arrayReverseSplit
    arrayRotateLeft arrayRotateRight arrayShiftLeft arrayShiftRight arrayShingles arraySlice arraySort arraySplit
    arraySum arraySymmetricDifference arrayTopK arrayTranspose arrayUnion arrayUniq arrayWithConstant arrayZip
    arrayZipUnaligned countEqual empty has hasAll hasAny hasSubstr indexOf indexOfAssumeSorted length notEmpty
    range replicate reverse`,
  bit: `
    bitAnd bitCount bitHammingDistance bitNot bitOr bitRotateLeft bitRotateRight bitShiftLeft bitShiftRight
    bitSlice bitTest bitTestAll bitTestAny bitXor`,
  comparison: `
    equals greater greaterOrEquals less lessOrEquals notEquals`,
  conditional: `
    clamp greatest if least multiIf`,
  'dates and times': `
    UTCTimestamp YYYYMMDDToDate YYYYMMDDToDate32 YYYYMMDDhhmmssToDateTime YYYYMMDDhhmmssToDateTime64 addDate
    addDays addHours addInterval addMicroseconds addMilliseconds addMinutes addMonths addNanoseconds addQuarters
    addSeconds addTupleOfIntervals addWeeks addYears age changeDay changeHour changeMinute changeMonth
    changeSecond changeYear dateDiff dateName dateTrunc formatDateTime fromDaysSinceYearZero
    fromDaysSinceYearZero32 fromModifiedJulianDay fromModifiedJulianDayOrNull fromUTCTimestamp fromUnixTimestamp
    localtime makeDate makeDate32 makeDateTime makeDateTime64 monthName now now64 subDate subtractDays
    subtractHours subtractInterval subtractMicroseconds subtractMilliseconds subtractMinutes subtractMonths
    subtractNanoseconds subtractQuarters subtractSeconds subtractTupleOfIntervals subtractWeeks subtractYears
    timeDiff timeSlot timeSlots timestamp timezoneOf timezoneOffset toDayOfMonth toDayOfWeek toDayOfYear
    toDaysInMonth toDaysSinceYearZero toHour toISOWeek toISOYear toLastDayOfMonth toLastDayOfWeek toMicrosecond
    toMillisecond toMinute toModifiedJulianDay toModifiedJulianDayOrNull toMonday toMonth toMonthNumSinceEpoch
    toNanosecond toQuarter toRelativeDayNum toRelativeHourNum toRelativeMinuteNum toRelativeMonthNum
    toRelativeQuarterNum toRelativeSecondNum toRelativeWeekNum toRelativeYearNum toSecond toStartOfDay
    toStartOfFifteenMinutes toStartOfFiveMinutes toStartOfHour toStartOfISOYear toStartOfInterval
    toStartOfMicrosecond toStartOfMillisecond toStartOfMinute toStartOfMonth toStartOfNanosecond toStartOfQuarter
    toStartOfSecond toStartOfTenMinutes toStartOfWeek toStartOfYear toTimeWithFixedDate toTimezone toUTCTimestamp
    toUnixTimestamp toWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss toYear toYearNumSinceEpoch toYearWeek today
    yesterday`,
  encoding: `
    bin char hex unbin unhex`,
  hash: `
    MD5 SHA1 SHA256 SHA512 cityHash64 halfMD5 murmurHash3_64 sipHash64 xxHash64`,
  'ip address': `
    IPv4CIDRToRange IPv4NumToString IPv4NumToStringClassC IPv4StringToNum IPv4StringToNumOrDefault
    IPv4StringToNumOrNull IPv4ToIPv6 IPv6CIDRToRange IPv6NumToString IPv6StringToNum IPv6StringToNumOrDefault
    IPv6StringToNumOrNull isIPAddressInRange isIPv4String isIPv6String toIPv4 toIPv4OrDefault toIPv4OrNull
    toIPv4OrZero toIPv6 toIPv6OrDefault toIPv6OrNull toIPv6OrZero`,
  json: `
    JSONAllPaths JSONAllPathsWithTypes JSONAllValues JSONArrayLength JSONExtract JSONExtractArrayRaw
    JSONExtractArrayRawCaseInsensitive JSONExtractBool JSONExtractBoolCaseInsensitive JSONExtractCaseInsensitive
    JSONExtractFloat JSONExtractFloatCaseInsensitive JSONExtractInt JSONExtractIntCaseInsensitive JSONExtractKeys
    JSONExtractKeysAndValues JSONExtractKeysAndValuesCaseInsensitive JSONExtractKeysAndValuesRaw
    JSONExtractKeysAndValuesRawCaseInsensitive JSONExtractKeysCaseInsensitive JSONExtractRaw
    JSONExtractRawCaseInsensitive JSONExtractString JSONExtractStringCaseInsensitive JSONExtractUInt
    JSONExtractUIntCaseInsensitive JSONHas JSONKey JSONLength JSONType JSON_EXISTS JSON_QUERY
    JSON_VALUE isValidJSON prettyPrintJSON simpleJSONExtractBool simpleJSONExtractFloat simpleJSONExtractInt
    simpleJSONExtractRaw simpleJSONExtractString simpleJSONExtractUInt simpleJSONHas toJSONString`,
  logical: `
    and not or xor`,
  map: `
    extractKeyValuePairs extractKeyValuePairsWithEscaping map mapAdd mapAll mapApply mapConcat mapContainsKey
    mapContainsKeyLike mapContainsValue mapContainsValueLike mapExists mapExtractKeyLike mapExtractValueLike
    mapFilter mapFromArrays mapKeys mapPopulateSeries mapReverseSort mapSort mapSubtract mapUpdate mapValues`,
  mathematical: `
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees e erf erfc exp exp10 exp2 factorial hypot
    intExp10 intExp2 lgamma log log10 log1p log2 pi pow radians sigmoid sign sin sinh sqrt tan tanh tgamma
    widthBucket`,
  null: `
    assumeNotNull coalesce firstNonDefault ifNull isNotNull isNull isNullable isZeroOrNull nullIf toNullable`,
  distance: `
    L1Distance L1Norm L2Distance L2Norm L2Normalize cosineDistance`,
  rounding: `
    ceil floor round roundAge roundBankers roundDown roundDuration roundToExp2 trunc`,
  string: `
    CRC32 CRC32IEEE CRC64 appendTrailingCharIfAbsent ascii base32Decode base32Encode base58Decode base58Encode
    base64Decode base64Encode base64URLDecode base64URLEncode basename byteHammingDistance caseFoldUTF8
    compareSubstrings concat concatWithSeparator conv damerauLevenshteinDistance editDistance editDistanceUTF8
    endsWith endsWithCaseInsensitive endsWithCaseInsensitiveUTF8 endsWithUTF8 firstLine initcap initcapUTF8
    isValidASCII isValidUTF8 jaroSimilarity jaroWinklerSimilarity left leftPad leftPadUTF8 leftUTF8 lengthUTF8
    lower lowerUTF8 naturalSortKey regexpExtract regexpPosition removeDiacriticsUTF8 repeat reverseUTF8 right
    rightPad rightPadUTF8 rightUTF8 soundex space startsWith startsWithCaseInsensitive
    startsWithCaseInsensitiveUTF8 startsWithUTF8 stringBytesEntropy stringBytesUniq stringJaccardIndex
    stringJaccardIndexUTF8 substring substringIndex substringIndexUTF8 substringUTF8 toValidUTF8 trimBoth
    trimLeft trimRight tryBase32Decode tryBase58Decode tryBase64Decode tryBase64URLDecode upper upperUTF8`,
  'string replacement': `
    format overlay overlayUTF8 regexpQuoteMeta replaceAll replaceOne replaceRegexpAll replaceRegexpOne
    translate translateUTF8`,
  'string search': `
    countMatches countMatchesCaseInsensitive countSubstrings countSubstringsCaseInsensitive
    countSubstringsCaseInsensitiveUTF8 extract extractAll extractAllGroupsHorizontal extractGroups hasAllTokens
    hasAnyTokens hasPhrase hasSubsequence hasSubsequenceCaseInsensitive hasSubsequenceCaseInsensitiveUTF8
    hasSubsequenceUTF8 hasToken hasTokenCaseInsensitive hasTokenCaseInsensitiveOrNull hasTokenOrNull ilike like
    locate match multiSearchAllPositions multiSearchAllPositionsCaseInsensitive
    multiSearchAllPositionsCaseInsensitiveUTF8 multiSearchAllPositionsUTF8 multiSearchAny
    multiSearchAnyCaseInsensitive multiSearchAnyCaseInsensitiveUTF8 multiSearchAnyUTF8 multiSearchFirstIndex
    multiSearchFirstIndexCaseInsensitive multiSearchFirstIndexCaseInsensitiveUTF8 multiSearchFirstIndexUTF8
    multiSearchFirstPosition multiSearchFirstPositionCaseInsensitive multiSearchFirstPositionCaseInsensitiveUTF8
    multiSearchFirstPositionUTF8 ngramDistance ngramDistanceCaseInsensitive ngramDistanceCaseInsensitiveUTF8
    ngramDistanceUTF8 ngramSearch ngramSearchCaseInsensitive ngramSearchCaseInsensitiveUTF8 ngramSearchUTF8
    notILike notLike position positionCaseInsensitive positionCaseInsensitiveUTF8 positionUTF8`,
  'string splitting': `
    alphaTokens arrayStringConcat extractAllGroupsVertical ngrams reverseBySeparator splitByChar splitByNonAlpha
    splitByRegexp splitByString splitByWhitespace tokens`,
  'time window': `
    hop hopEnd hopStart tumble tumbleEnd tumbleStart`,
  tuple: `
    dotProduct flattenTuple tuple tupleConcat tupleElement tupleNames`,
  'type conversion': `
    CAST DATE accurateCast accurateCastOrDefault accurateCastOrNull fromUnixTimestamp64Micro
    fromUnixTimestamp64Milli fromUnixTimestamp64Nano fromUnixTimestamp64Second parseDateTime
    parseDateTime32BestEffort parseDateTime32BestEffortOrNull parseDateTime32BestEffortOrZero parseDateTime64
    parseDateTime64BestEffort parseDateTime64BestEffortOrNull parseDateTime64BestEffortOrZero
    parseDateTime64OrNull parseDateTime64OrZero parseDateTimeBestEffort parseDateTimeBestEffortOrNull
    parseDateTimeBestEffortOrZero parseDateTimeOrNull parseDateTimeOrZero reinterpretAsFloat64 reinterpretAsInt64
    reinterpretAsString reinterpretAsUInt64 toBool toDate toDate32 toDate32OrDefault toDate32OrNull
    toDate32OrZero toDateOrDefault toDateOrNull toDateOrZero toDateTime toDateTime32 toDateTime64
    toDateTime64OrDefault toDateTime64OrNull toDateTime64OrZero toDateTimeOrDefault toDateTimeOrNull
    toDateTimeOrZero toDecimal32 toDecimal32OrDefault toDecimal32OrNull toDecimal32OrZero toDecimal64
    toDecimal64OrDefault toDecimal64OrNull toDecimal64OrZero toDecimalString toFloat32 toFloat32OrDefault
    toFloat32OrNull toFloat32OrZero toFloat64 toFloat64OrDefault toFloat64OrNull toFloat64OrZero toInt16
    toInt16OrDefault toInt16OrNull toInt16OrZero toInt32 toInt32OrDefault toInt32OrNull toInt32OrZero toInt64
    toInt64OrDefault toInt64OrNull toInt64OrZero toInt8 toInt8OrDefault toInt8OrNull toInt8OrZero
    toLowCardinality toString toStringCutToZero toTime toTime64 toTime64OrNull toTime64OrZero toTimeOrNull
    toTimeOrZero toUInt16 toUInt16OrDefault toUInt16OrNull toUInt16OrZero toUInt32 toUInt32OrDefault
    toUInt32OrNull toUInt32OrZero toUInt64 toUInt64OrDefault toUInt64OrNull toUInt64OrZero toUInt8
    toUInt8OrDefault toUInt8OrNull toUInt8OrZero toUUID toUUIDOrZero toUnixTimestamp64Micro
    toUnixTimestamp64Milli toUnixTimestamp64Nano toUnixTimestamp64Second`,
  url: `
    URLHierarchy URLPathHierarchy cutFragment cutQueryString cutQueryStringAndFragment
    cutToFirstSignificantSubdomain cutToFirstSignificantSubdomainWithWWW cutURLParameter cutWWW
    decodeURLComponent decodeURLFormComponent domain domainWithoutWWW encodeURLComponent encodeURLFormComponent
    extractURLParameter extractURLParameterNames extractURLParameters firstSignificantSubdomain fragment netloc
    path pathFull port protocol queryString queryStringAndFragment topLevelDomain`,
  uuid: `
    UUIDv7ToDateTime toUUIDOrDefault toUUIDOrNull`,
  other: `
    bar byteSize countDigits defaultValueOfArgumentType finalizeAggregation formatReadableDecimalSize
    formatReadableQuantity formatReadableSize formatReadableTimeDelta identity ignore isConstant materialize
    rowNumberInAllBlocks runningAccumulate toTypeName transform`,
  'aggregates and windows': `
    any anyHeavy anyLast approx_top_k argMax argMin avg avgWeighted boundingRatio corr count covarPop covarSamp
    cume_dist deltaSum denseRank entropy exponentialMovingAverage groupArray groupArrayIntersect groupArrayLast
    groupArrayMovingAvg groupArrayMovingSum groupArraySorted groupBitAnd groupBitOr groupBitXor groupConcat
    groupUniqArray histogram kurtPop kurtSamp lag lagInFrame lead leadInFrame mannWhitneyUTest max
    maxIntersections min nonNegativeDerivative nth_value ntile percentRank quantile quantileBFloat16
    quantileBFloat16Weighted quantileDD quantileDeterministic quantileExact quantileExactExclusive
    quantileExactHigh quantileExactInclusive quantileExactLow quantileExactWeighted
    quantileExactWeightedInterpolated quantileInterpolatedWeighted quantilePrometheusHistogram quantileTDigest
    quantileTDigestWeighted quantileTiming quantileTimingWeighted quantiles quantilesBFloat16
    quantilesBFloat16Weighted quantilesDD quantilesDeterministic quantilesExact quantilesExactExclusive
    quantilesExactHigh quantilesExactInclusive quantilesExactLow quantilesExactWeighted
    quantilesExactWeightedInterpolated quantilesInterpolatedWeighted quantilesPrometheusHistogram
    quantilesTDigest quantilesTDigestWeighted quantilesTiming quantilesTimingWeighted rank retention row_number
    sequenceCount sequenceMatch simpleLinearRegression singleValueOrNull skewPop skewSamp stddevPop
    stddevPopStable stddevSamp stddevSampStable studentTTest sum sumCount sumKahan sumWithOverflow topK
    topKWeighted uniq uniqCombined uniqCombined64 uniqExact uniqHLL12 uniqUpTo varPop varPopStable varSamp
    varSampStable welchTTest windowFunnel`,
  'other names of these': `
    BIT_AND BIT_OR BIT_XOR CARDINALITY CHARACTER_LENGTH CHAR_LENGTH COVAR_POP COVAR_SAMP DATE_DIFF DATE_FORMAT
    DATE_TRUNC DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR FORMAT_BYTES FROM_BASE64 FROM_DAYS FROM_UNIXTIME HOUR
    JSON_ARRAY_LENGTH LAST_DAY MAP_FROM_ARRAYS MICROSECOND MILLISECOND MINUTE MONTH NANOSECOND NATURAL_SORT_KEY
    OCTET_LENGTH QUARTER REGEXP_EXTRACT REGEXP_MATCHES REGEXP_REPLACE REGEXP_SUBSTR SECOND STD STDDEV STDDEV_POP
    STDDEV_SAMP SUBSTRING_INDEX TIMESTAMP_DIFF TO_BASE64 TO_DAYS TO_UNIXTIME UTC_timestamp VAR_POP VAR_SAMP YEAR
    any_value approx_top_count array_agg array_remove array_to_string byteSlice caseWithoutExpr
    caseWithoutExpression ceiling concat_ws curdate current_date current_timestamp date_bin date_diff dense_rank
    distanceCosine distanceL1 distanceL2 extractAllGroups first_value flatten from_utc_timestamp group_concat
    hasAllToken hasAnyToken instr isASCII last_value lcase levenshteinDistance
    levenshteinDistanceUTF8 ln localtimestamp lpad ltrim mapContains mapFromString matchPhrase max_by median
    medianBFloat16 medianBFloat16Weighted medianDD medianDeterministic medianExact medianExactHigh medianExactLow
    medianExactWeighted medianExactWeightedInterpolated medianInterpolatedWeighted medianTDigest
    medianTDigestWeighted medianTiming medianTimingWeighted mid min_by mismatches mod modOrNull normL1 normL2
    normalizeL2 percent_rank pmod pmodOrNull positive_modulo positive_modulo_or_null power regexpInstr
    regexp_instr removeAccentsUTF8 replace rpad rtrim scalarProduct splitByAlpha str_to_date str_to_map
    string_agg substr timeZoneOf timeZoneOffset time_bucket timestampDiff timestamp_diff toStartOfFiveMinute
    toTimeZone to_utc_timestamp trim truncate ucase unnest visitParamExtractBool visitParamExtractFloat
    visitParamExtractInt visitParamExtractRaw visitParamExtractString visitParamExtractUInt visitParamHas week
    width_bucket yearweek`,
}

/** Those that the engine knows in any case. */
const IN_ANY_CASE = `
    abs avg2 byteSwap max2 midpoint min2 positiveModulo positiveModuloOrNull sqr length reverse greatest if least
    UTCTimestamp YYYYMMDDToDate YYYYMMDDToDate32 YYYYMMDDhhmmssToDateTime addDate age dateDiff dateName localtime
    makeDate makeDate32 makeDateTime makeDateTime64 monthName now now64 subDate timeDiff timestamp today bin char
    hex unbin unhex not acos asin atan atan2 cos degrees exp factorial hypot log log10 log2 pi pow radians sign
    sin sqrt tan tanh coalesce firstNonDefault ifNull isNull nullIf ceil floor round trunc CRC32 CRC32IEEE CRC64
    ascii concat initcap left lower repeat right soundex space substring upper overlay countSubstrings
    hasSubsequence hasSubsequenceCaseInsensitive hasSubsequenceCaseInsensitiveUTF8 hasSubsequenceUTF8
    hasTokenCaseInsensitive hasTokenCaseInsensitiveOrNull locate position CAST DATE toDecimalString approx_top_k
    avg corr count lag lead max min nth_value ntile rank row_number sum BIT_AND BIT_OR BIT_XOR CARDINALITY
    CHARACTER_LENGTH CHAR_LENGTH COVAR_POP COVAR_SAMP DATE_FORMAT DATE_TRUNC DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR
    FORMAT_BYTES FROM_BASE64 FROM_DAYS FROM_UNIXTIME HOUR JSON_ARRAY_LENGTH LAST_DAY MICROSECOND MILLISECOND
    MINUTE MONTH NANOSECOND NATURAL_SORT_KEY OCTET_LENGTH QUARTER REGEXP_EXTRACT REGEXP_MATCHES REGEXP_REPLACE
    REGEXP_SUBSTR SECOND STD STDDEV STDDEV_POP STDDEV_SAMP SUBSTRING_INDEX TO_BASE64 TO_DAYS TO_UNIXTIME
    UTC_timestamp VAR_POP VAR_SAMP YEAR any_value approx_top_count array_agg array_remove array_to_string
    byteSlice ceiling concat_ws curdate current_date current_timestamp date_bin dense_rank distanceCosine
    distanceL1 distanceL2 first_value flatten from_utc_timestamp group_concat instr last_value lcase ln
    localtimestamp lpad max_by mid min_by mod modOrNull normL1 normL2 normalizeL2 percent_rank pmod pmodOrNull
    positive_modulo positive_modulo_or_null power regexpInstr regexp_instr replace rpad scalarProduct str_to_date
    str_to_map string_agg substr time_bucket to_utc_timestamp truncate ucase unnest week width_bucket yearweek`

const words = (text: string) => text.trim().split(/\s+/)

/** What aggregate functions' names may end with. */
const COMBINATOR = /(?:If|Array|Map|Distinct|OrNull|OrDefault|Argmin|Argmax)$/

const AGGREGATES = new Set(words(BY_KIND['aggregates and windows']))
const NAMES = new Set(Object.values(BY_KIND).flatMap(words))
const LOWER = new Set(words(IN_ANY_CASE).map((name) => name.toLowerCase()))

/** Whether statements may call the function with this name. */
export function isFunction(name: string): boolean {
  if (NAMES.has(name) || LOWER.has(name.toLowerCase())) return true
  for (let rest = name; COMBINATOR.test(rest); ) {
    rest = rest.replace(COMBINATOR, '')
    if (AGGREGATES.has(rest)) return true
  }
  return false
}
